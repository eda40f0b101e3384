//! Charts as SVG, with their numbers as CSV: a house style on top of plotters.

use crate::table::field;
use plotters::coord::Shift;
use plotters::coord::ranged1d::{AsRangedCoord, ValueFormatter};
use plotters::prelude::*;
use std::fmt::Write;

type Area<'s> = DrawingArea<SVGBackend<'s>, Shift>;
type Formatter<'f> = &'f dyn Fn(&f64) -> String;

/// Colour-blind-safe colours (Okabe, Ito 2008), darkened where they would be too faint on white.
const COLOURS: [RGBColor; 8] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 140, 105),
    RGBColor(204, 121, 167),
    RGBColor(150, 130, 0),
    RGBColor(60, 60, 60),
    RGBColor(86, 160, 210),
    RGBColor(200, 140, 0),
];

const SIZE: (u32, u32) = (860, 520);
/// Width and height of a matrix without its legend.
const MATRIX: u32 = 620;
/// Height of a row of [`ChartKind::Rows`], and of the rest of the chart.
const ROW: u32 = 15;
const ROW_CHART_MARGIN: u32 = 120;
/// Approximate width of a letter, and of the rest of a legend entry.
const LETTER: f64 = 6.6;
const LEGEND_ENTRY_MARGIN: u32 = 40;

/// A named sequence of points.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Name in the legend.
    pub name: String,
    /// The points, in order.
    pub points: Vec<(f64, f64)>,
}

/// Chart type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChartKind {
    /// Connected points.
    Line,
    /// Separate points.
    Points,
    /// Vertical bars; x is a position, one unit wide.
    Bars,
    /// Horizontal bars, top to bottom; x is a position, one unit high.
    Rows,
    /// Cells of a matrix, one unit wide and high, with y from top to bottom; later series are darker.
    Cells,
}

/// Position of the legend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Legend {
    /// On the chart, where falling curves and bars leave room.
    Inside,
    /// To the right.
    Beside,
}

/// A chart.
///
/// ```
/// use webstrata_stats::plot::{Chart, ChartKind, Series};
/// let series = Series { name: "a".into(), points: vec![(1.0, 0.5), (2.0, 0.75)] };
/// let chart = Chart { title: "F1".into(), x: "page".into(), y: "score".into(), ..Chart::new(ChartKind::Line, vec![series]) };
/// assert!(chart.svg().unwrap().starts_with("<svg"));
/// assert_eq!(chart.csv(), "series,page,score\na,1,0.5\na,2,0.75\n");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// Title.
    pub title: String,
    /// Label of the horizontal axis.
    pub x: String,
    /// Label of the vertical axis.
    pub y: String,
    /// Whether each axis is logarithmic.
    pub logarithmic: (bool, bool),
    /// Labels instead of numbers along x, for bars and rows.
    pub names: Vec<String>,
    /// Chart type.
    pub kind: ChartKind,
    /// The series.
    pub series: Vec<Series>,
    /// Index of the first series drawn as a line, whatever the kind: curves over bars.
    pub lines_from: usize,
    /// Companions of the series with the same index, such as fitted curves: dashed lines in the same colour.
    pub dashed: Vec<Series>,
    /// Position of the legend.
    pub legend: Legend,
}

/// A chart that cannot be drawn.
#[derive(Debug, thiserror::Error)]
#[error("the chart {title:?} cannot be drawn: {why}")]
pub struct PlotError {
    title: String,
    why: String,
}

impl Chart {
    /// A chart without labels.
    #[must_use]
    pub fn new(kind: ChartKind, series: Vec<Series>) -> Self {
        Chart {
            title: String::new(),
            x: "x".into(),
            y: "y".into(),
            logarithmic: (false, false),
            names: Vec::new(),
            kind,
            series,
            lines_from: usize::MAX,
            dashed: Vec::new(),
            legend: Legend::Inside,
        }
    }

    /// The numbers as CSV.
    #[must_use]
    pub fn csv(&self) -> String {
        let mut out = format!("series,{},{}\n", field(&self.x), field(&self.y));
        for series in &self.series {
            for (x, y) in &series.points {
                let name = self.names.get(*x as usize).filter(|_| matches!(self.kind, ChartKind::Bars | ChartKind::Rows));
                let _ = writeln!(out, "{},{},{y}", field(&series.name), name.map_or_else(|| x.to_string(), |name| field(name)));
            }
        }
        out
    }

    /// The chart as SVG.
    ///
    /// # Errors
    /// If there is nothing to draw.
    pub fn svg(&self) -> Result<String, PlotError> {
        panels(std::slice::from_ref(self))
    }

    fn size(&self) -> (u32, u32) {
        match self.kind {
            ChartKind::Rows => (SIZE.0, self.names.len() as u32 * ROW + ROW_CHART_MARGIN),
            ChartKind::Cells => (MATRIX + self.legend_width(), MATRIX),
            _ => SIZE,
        }
    }

    /// Width of the legend beside the chart; 0 if there is none.
    fn legend_width(&self) -> u32 {
        if self.legend == Legend::Inside || self.series.len() < 2 {
            return 0;
        }
        let longest = self.series.iter().map(|series| series.name.chars().count()).max().unwrap_or(0) as f64;
        (longest * LETTER) as u32 + LEGEND_ENTRY_MARGIN
    }

    /// Draws on an area, leaving `room` pixels on the right.
    fn draw_on(&self, area: &Area<'_>, room: u32) -> Result<(), String> {
        let points =
            || self.series.iter().chain(&self.dashed).flat_map(|series| &series.points).filter(|(x, y)| self.drawable(*x, *y));
        let range = |pick: fn(&(f64, f64)) -> f64| {
            points().map(pick).fold(None, |range: Option<(f64, f64)>, v| Some(range.map_or((v, v), |(a, b)| (a.min(v), b.max(v)))))
        };
        let (Some(x), Some(y)) = (range(|p| p.0), range(|p| p.1)) else { return Err("it has no points".into()) };
        let ends = x;
        let (x, y) = (padded(x, self.logarithmic.0), padded(y, self.logarithmic.1));
        let x = match self.kind {
            ChartKind::Bars => (-0.6, ends.1 + 0.6),
            _ => x,
        };
        // Axes of counts and shares begin at zero.
        let y = if !self.logarithmic.1 && y.0 > 0.0 && y.0 < y.1 * 0.6 { (0.0, y.1) } else { y };
        if self.kind == ChartKind::Rows {
            let last = self.names.len() as f64 - 0.4;
            return self.draw(area, room, 0.0..y.1.max(f64::MIN_POSITIVE), last..-0.6);
        }
        if self.kind == ChartKind::Cells {
            let last = range(|p| p.0.max(p.1)).map_or(0.0, |range| range.1) + 0.5;
            return self.draw(area, room, -0.5..last, last..-0.5);
        }
        match self.logarithmic {
            (false, false) => self.draw(area, room, x.0..x.1, y.0..y.1),
            (true, false) => self.draw(area, room, (x.0..x.1).log_scale(), y.0..y.1),
            (false, true) => self.draw(area, room, x.0..x.1, (y.0..y.1).log_scale()),
            (true, true) => self.draw(area, room, (x.0..x.1).log_scale(), (y.0..y.1).log_scale()),
        }
    }

    /// The colour of a series; a shade of grey for cells.
    fn colour(&self, series: usize) -> RGBColor {
        if self.kind != ChartKind::Cells {
            return COLOURS[series % COLOURS.len()];
        }
        let share = (series + 1) as f64 / self.series.len().max(1) as f64;
        let grey = (235.0 * (1.0 - share)) as u8;
        RGBColor(grey, grey, grey)
    }

    fn drawable(&self, x: f64, y: f64) -> bool {
        x.is_finite() && y.is_finite() && (!self.logarithmic.0 || x > 0.0) && (!self.logarithmic.1 || y > 0.0)
    }

    fn draw<X, Y>(&self, area: &Area<'_>, room: u32, x: X, y: Y) -> Result<(), String>
    where
        X: AsRangedCoord<Value = f64>,
        Y: AsRangedCoord<Value = f64>,
        X::CoordDescType: ValueFormatter<f64>,
        Y::CoordDescType: ValueFormatter<f64>,
    {
        let text = |error: DrawingAreaErrorKind<_>| error.to_string();
        let rows = self.kind == ChartKind::Rows;
        let longest = self.names.iter().map(|name| name.chars().count()).max().unwrap_or(0) as f64;
        let (area, names) = area.split_horizontally(area.dim_in_pixel().0.saturating_sub(room));
        let mut builder = ChartBuilder::on(&area);
        if !self.title.is_empty() {
            builder.caption(&self.title, ("sans-serif", 20));
        }
        let mut chart = builder
            .margin(14)
            .x_label_area_size(if self.names.is_empty() || rows { 48 } else { 70 })
            .y_label_area_size(if rows { (longest * LETTER) as u32 + LEGEND_ENTRY_MARGIN } else { 66 })
            .build_cartesian_2d(x, y)
            .map_err(text)?;
        let name = |at: &f64| match self.names.get(at.round().max(0.0) as usize) {
            Some(name) if (at - at.round()).abs() < 1e-6 && *at > -0.5 => name.clone(),
            _ if self.names.is_empty() => number(*at),
            _ => String::new(),
        };
        let value = |value: &f64| number(*value);
        let (right, up): (Formatter<'_>, Formatter<'_>) = if rows { (&value, &name) } else { (&name, &value) };
        let mut mesh = chart.configure_mesh();
        if rows {
            mesh.disable_y_mesh();
        }
        mesh.x_desc(if rows { &self.y } else { &self.x })
            .y_desc(if rows { &self.x } else { &self.y })
            .axis_desc_style(("sans-serif", 15))
            .label_style(("sans-serif", 13))
            .light_line_style(WHITE)
            .bold_line_style(RGBColor(225, 225, 225))
            .x_labels(if self.names.is_empty() || rows { 10 } else { (self.names.len() * 2).clamp(4, 80) })
            .y_labels(if rows { self.names.len().clamp(4, 200) } else { 10 })
            .x_label_formatter(&right)
            .y_label_formatter(&up)
            .draw()
            .map_err(text)?;
        let together = self.series.len().min(self.lines_from).max(1) as f64;
        for (at, series) in self.series.iter().enumerate() {
            let colour = self.colour(at);
            let points = series.points.iter().copied().filter(|(x, y)| self.drawable(*x, *y));
            let width = 0.8 / together;
            let near = -0.4 + at as f64 * width;
            let drawn = match self.kind {
                _ if at >= self.lines_from => chart.draw_series(LineSeries::new(points, colour.stroke_width(2))),
                ChartKind::Line => chart.draw_series(LineSeries::new(points, colour.stroke_width(2))),
                ChartKind::Points => chart.draw_series(points.map(|point| Circle::new(point, 2, colour.filled()).into_dyn())),
                ChartKind::Bars => chart.draw_series(
                    points.map(|(x, y)| Rectangle::new([(x + near, 0.0), (x + near + width, y)], colour.filled()).into_dyn()),
                ),
                ChartKind::Rows => chart.draw_series(
                    points.map(|(x, y)| Rectangle::new([(0.0, x + near), (y, x + near + width)], colour.filled()).into_dyn()),
                ),
                ChartKind::Cells => chart.draw_series(
                    points.map(|(x, y)| Rectangle::new([(x - 0.5, y - 0.5), (x + 0.5, y + 0.5)], colour.filled()).into_dyn()),
                ),
            };
            let legend = move |(x, y)| Rectangle::new([(x, y - 5), (x + 12, y + 5)], colour.filled());
            drawn.map_err(text)?.label(&series.name).legend(legend);
        }
        for (at, series) in self.dashed.iter().enumerate() {
            let points = series.points.iter().copied().filter(|(x, y)| self.drawable(*x, *y));
            let style = COLOURS[at % COLOURS.len()].stroke_width(2);
            chart.draw_series(DashedLineSeries::new(points, 9, 6, style)).map_err(text)?;
        }
        if self.legend_width() > 0 {
            let top = if self.title.is_empty() { 20 } else { 50 };
            for (at, series) in self.series.iter().enumerate() {
                let (colour, y) = (self.colour(at), top + 20 * at as i32);
                names.draw(&Rectangle::new([(4, y), (16, y + 10)], colour.filled())).map_err(text)?;
                let label = Text::new(series.name.clone(), (22, y - 1), ("sans-serif", 13));
                names.draw(&label).map_err(text)?;
            }
        } else if self.series.len() > 1 {
            // Free space for the legend: curves of scores fall to the right; bars and points leave room above, rows below.
            let place = match self.kind {
                ChartKind::Line => SeriesLabelPosition::LowerLeft,
                ChartKind::Bars | ChartKind::Points => SeriesLabelPosition::UpperRight,
                ChartKind::Rows => SeriesLabelPosition::LowerRight,
                ChartKind::Cells => SeriesLabelPosition::UpperRight,
            };
            let mut labels = chart.configure_series_labels();
            labels.position(place);
            let labels =
                labels.background_style(WHITE.mix(0.85)).border_style(RGBColor(200, 200, 200)).label_font(("sans-serif", 13));
            labels.draw().map_err(text)?;
        }
        Ok(())
    }
}

/// Charts stacked in one picture.
///
/// ```
/// use webstrata_stats::plot::{Chart, ChartKind, Series, panels};
/// let chart = Chart::new(ChartKind::Line, vec![Series { name: "a".into(), points: vec![(1.0, 0.5), (2.0, 0.75)] }]);
/// let svg = panels(&[chart.clone(), chart]).unwrap();
/// assert!(svg.contains("height=\"1040\"") && svg.matches("</svg>").count() == 1);
/// ```
///
/// # Errors
/// If one of the charts has nothing to draw.
pub fn panels(charts: &[Chart]) -> Result<String, PlotError> {
    let fail = |chart: Option<&Chart>, why: String| PlotError { title: chart.map(|c| c.title.clone()).unwrap_or_default(), why };
    let width = charts.iter().map(|chart| chart.size().0).max().unwrap_or(SIZE.0);
    let height = charts.iter().map(|chart| chart.size().1).sum();
    // The same for all charts, so that their x axes line up.
    let room = charts.iter().map(Chart::legend_width).max().unwrap_or(0);
    let mut svg = String::new();
    {
        let mut rest = SVGBackend::with_string(&mut svg, (width, height)).into_drawing_area();
        rest.fill(&WHITE).map_err(|error| fail(charts.first(), error.to_string()))?;
        for chart in charts {
            let (area, below) = rest.split_vertically(chart.size().1);
            chart.draw_on(&area, room).map_err(|why| fail(Some(chart), why))?;
            rest = below;
        }
        rest.present().map_err(|error| fail(charts.last(), error.to_string()))?;
    }
    Ok(svg)
}

/// A range with margins.
fn padded((low, high): (f64, f64), logarithmic: bool) -> (f64, f64) {
    if logarithmic {
        return (low / 1.2, high * 1.2);
    }
    let room = if high > low { (high - low) * 0.04 } else { high.abs().max(1.0) * 0.5 };
    (low - room, high + room)
}

/// A number in its shortest readable form.
fn number(value: f64) -> String {
    let text =
        if value != 0.0 && (value.abs() < 1e-3 || value.abs() >= 1e6) { format!("{value:.0e}") } else { format!("{value:.3}") };
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}
