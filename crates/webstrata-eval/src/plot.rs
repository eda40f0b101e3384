//! A chart as SVG, and its numbers as CSV beside it. Drawn by plotters; here is what a chart of ours looks like.

use crate::table::field;
use plotters::coord::ranged1d::{AsRangedCoord, ValueFormatter};
use plotters::prelude::*;
use std::fmt::Write;

/// Colours that differ for all eyes (Okabe, Ito 2008), darkened where white would swallow them.
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

/// Points that belong together.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// What they are.
    pub name: String,
    /// The points, in order.
    pub points: Vec<(f64, f64)>,
}

/// How points are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// Joined.
    Line,
    /// Alone.
    Points,
    /// From the bottom up; x is a place, one unit wide.
    Bars,
}

/// A chart.
///
/// ```
/// use webstrata_eval::plot::{Chart, Look, Series};
/// let series = Series { name: "a".into(), points: vec![(1.0, 0.5), (2.0, 0.75)] };
/// let chart = Chart { title: "F1".into(), x: "page".into(), y: "score".into(), ..Chart::new(Look::Line, vec![series]) };
/// assert!(chart.svg().unwrap().starts_with("<svg"));
/// assert_eq!(chart.csv(), "series,page,score\na,1,0.5\na,2,0.75\n");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// Above it.
    pub title: String,
    /// Name of the axis to the right.
    pub x: String,
    /// Name of the axis upwards.
    pub y: String,
    /// Are the axes logarithmic?
    pub logarithmic: (bool, bool),
    /// Names in place of numbers along x, for bars.
    pub names: Vec<String>,
    /// How it is drawn.
    pub look: Look,
    /// What is drawn.
    pub series: Vec<Series>,
}

/// A chart that cannot be drawn.
#[derive(Debug, thiserror::Error)]
#[error("the chart {title:?} cannot be drawn: {why}")]
pub struct PlotError {
    title: String,
    why: String,
}

impl Chart {
    /// A chart without names.
    #[must_use]
    pub fn new(look: Look, series: Vec<Series>) -> Self {
        Chart { title: String::new(), x: "x".into(), y: "y".into(), logarithmic: (false, false), names: Vec::new(), look, series }
    }

    /// Its numbers.
    #[must_use]
    pub fn csv(&self) -> String {
        let mut out = format!("series,{},{}\n", field(&self.x), field(&self.y));
        for series in &self.series {
            for (x, y) in &series.points {
                let name = self.names.get(*x as usize).filter(|_| self.look == Look::Bars);
                let _ = writeln!(out, "{},{},{y}", field(&series.name), name.map_or_else(|| x.to_string(), |name| field(name)));
            }
        }
        out
    }

    /// The picture.
    ///
    /// # Errors
    /// When there is nothing to draw.
    pub fn svg(&self) -> Result<String, PlotError> {
        let fail = |why: String| PlotError { title: self.title.clone(), why };
        let points = || self.series.iter().flat_map(|series| &series.points).filter(|(x, y)| self.drawable(*x, *y));
        let range = |pick: fn(&(f64, f64)) -> f64| {
            points().map(pick).fold(None, |range: Option<(f64, f64)>, v| Some(range.map_or((v, v), |(a, b)| (a.min(v), b.max(v)))))
        };
        let (Some(x), Some(y)) = (range(|p| p.0), range(|p| p.1)) else { return Err(fail("it has no points".into())) };
        let (x, y) = (padded(x, self.logarithmic.0), padded(y, self.logarithmic.1));
        let x = if self.look == Look::Bars { (x.0.min(-0.6), x.1.max(0.6)) } else { x };
        // What is counted or shared out begins at zero.
        let y = if !self.logarithmic.1 && y.0 > 0.0 && y.0 < y.1 * 0.6 { (0.0, y.1) } else { y };
        let mut svg = String::new();
        let drawn = match self.logarithmic {
            (false, false) => self.draw(&mut svg, x.0..x.1, y.0..y.1),
            (true, false) => self.draw(&mut svg, (x.0..x.1).log_scale(), y.0..y.1),
            (false, true) => self.draw(&mut svg, x.0..x.1, (y.0..y.1).log_scale()),
            (true, true) => self.draw(&mut svg, (x.0..x.1).log_scale(), (y.0..y.1).log_scale()),
        };
        drawn.map_err(fail)?;
        Ok(svg)
    }

    fn drawable(&self, x: f64, y: f64) -> bool {
        x.is_finite() && y.is_finite() && (!self.logarithmic.0 || x > 0.0) && (!self.logarithmic.1 || y > 0.0)
    }

    fn draw<X, Y>(&self, svg: &mut String, x: X, y: Y) -> Result<(), String>
    where
        X: AsRangedCoord<Value = f64>,
        Y: AsRangedCoord<Value = f64>,
        X::CoordDescType: ValueFormatter<f64>,
        Y::CoordDescType: ValueFormatter<f64>,
    {
        let text = |error: DrawingAreaErrorKind<_>| error.to_string();
        let area = SVGBackend::with_string(svg, SIZE).into_drawing_area();
        area.fill(&WHITE).map_err(text)?;
        let mut chart = ChartBuilder::on(&area)
            .caption(&self.title, ("sans-serif", 20))
            .margin(14)
            .x_label_area_size(if self.names.is_empty() { 48 } else { 70 })
            .y_label_area_size(66)
            .build_cartesian_2d(x, y)
            .map_err(text)?;
        let names = |x: &f64| match self.names.get(x.round() as usize) {
            Some(name) if (x - x.round()).abs() < 1e-6 => name.clone(),
            _ if self.names.is_empty() => number(*x),
            _ => String::new(),
        };
        chart
            .configure_mesh()
            .x_desc(&self.x)
            .y_desc(&self.y)
            .axis_desc_style(("sans-serif", 15))
            .label_style(("sans-serif", 13))
            .light_line_style(WHITE)
            .bold_line_style(RGBColor(225, 225, 225))
            .x_labels(if self.names.is_empty() { 10 } else { (self.names.len() * 2).clamp(4, 80) })
            .x_label_formatter(&names)
            .y_label_formatter(&|y| number(*y))
            .draw()
            .map_err(text)?;
        let beside = self.series.len().max(1) as f64;
        for (at, series) in self.series.iter().enumerate() {
            let colour = COLOURS[at % COLOURS.len()];
            let points = series.points.iter().copied().filter(|(x, y)| self.drawable(*x, *y));
            let drawn = match self.look {
                Look::Line => chart.draw_series(LineSeries::new(points, colour.stroke_width(2))),
                Look::Points => chart.draw_series(points.map(|point| Circle::new(point, 2, colour.filled()).into_dyn())),
                Look::Bars => {
                    let width = 0.8 / beside;
                    let left = -0.4 + at as f64 * width;
                    let bars =
                        points.map(|(x, y)| Rectangle::new([(x + left, 0.0), (x + left + width, y)], colour.filled()).into_dyn());
                    chart.draw_series(bars)
                }
            };
            let legend = move |(x, y)| Rectangle::new([(x, y - 5), (x + 12, y + 5)], colour.filled());
            drawn.map_err(text)?.label(&series.name).legend(legend);
        }
        if self.series.len() > 1 {
            // Curves of scores fall to the right; bars and points leave room above.
            let place = if self.look == Look::Line { SeriesLabelPosition::LowerLeft } else { SeriesLabelPosition::UpperRight };
            let mut labels = chart.configure_series_labels();
            labels.position(place);
            let labels =
                labels.background_style(WHITE.mix(0.85)).border_style(RGBColor(200, 200, 200)).label_font(("sans-serif", 13));
            labels.draw().map_err(text)?;
        }
        area.present().map_err(text)
    }
}

/// A range with room at its ends.
fn padded((low, high): (f64, f64), logarithmic: bool) -> (f64, f64) {
    if logarithmic {
        return (low / 1.2, high * 1.2);
    }
    let room = if high > low { (high - low) * 0.04 } else { high.abs().max(1.0) * 0.5 };
    (low - room, high + room)
}

/// A number as short as it can be read.
fn number(value: f64) -> String {
    let text =
        if value != 0.0 && (value.abs() < 1e-3 || value.abs() >= 1e6) { format!("{value:.0e}") } else { format!("{value:.3}") };
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}
