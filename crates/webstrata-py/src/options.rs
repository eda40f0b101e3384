//! Options of extraction: from the keywords of Python to the structs of the libraries.

use crate::error::Kind;
use encoding_rs::Encoding;
use pyo3::prelude::*;
use std::path::PathBuf;
use webstrata::block::WordOptions;
use webstrata::content::{MarkdownTables, RenderOptions};
use webstrata::label::{Preset, RoleSet};
use webstrata::select::{Mode, Rules, SiteRules};
use webstrata::{ExtractOptions, Limits, PageOptions};
use webstrata_corpus::format::{PageFormat, PageWriter};
use webstrata_corpus::site::method::{SiteFolder, SiteMethod};
use webstrata_corpus::{Extraction, Fixed};

/// The keywords; `python/webstrata/_options.py` has their defaults and meaning.
#[derive(Debug, FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Keywords {
    output_format: String,
    preset: Option<String>,
    model: Option<PathBuf>,
    site: Option<PathBuf>,
    site_rules: Option<PathBuf>,
    favor_precision: bool,
    favor_recall: bool,
    include_comments: Option<bool>,
    include_tables: Option<bool>,
    include_links: bool,
    include_images: bool,
    include_formatting: bool,
    include_title: bool,
    include_duplicates: Option<bool>,
    with_metadata: bool,
    explain: bool,
    target_language: Option<String>,
    keep_roles: Vec<String>,
    drop_roles: Vec<String>,
    include: Vec<String>,
    exclude: Vec<String>,
    only_in: Vec<String>,
    markdown_tables: Option<String>,
    verdicts_only: bool,
    encoding: Option<String>,
    content_type: Option<String>,
    noscript: bool,
    line_width: u32,
    max_bytes: usize,
    max_nodes: u32,
    max_depth: u16,
}

fn invalid(message: impl std::fmt::Display) -> PyErr {
    Kind::Option.raise(message)
}

impl Keywords {
    /// The format. Text with formatting is written as Markdown.
    fn format(&self) -> PyResult<PageFormat> {
        let named: PageFormat = self.output_format.parse().map_err(invalid)?;
        let format = match named {
            PageFormat::Text if self.include_formatting => PageFormat::Markdown,
            // JSON is a record with the requested parts; the indented form of the command line has everything.
            PageFormat::Json => PageFormat::Jsonl,
            format => format,
        };
        if self.include_formatting && !format.has_markup() {
            return Err(invalid("include_formatting requires output_format txt, markdown, html, xml or xmltei"));
        }
        if self.markdown_tables.is_some() && format != PageFormat::Markdown {
            return Err(invalid("markdown_tables requires output_format markdown"));
        }
        if self.explain && !format.is_json() {
            return Err(invalid("explain requires output_format json"));
        }
        if matches!(format, PageFormat::Text | PageFormat::Csv) && (self.include_links || self.include_images) {
            let message = "include_links and include_images require output_format markdown, html, xml, xmltei or json, \
                           or with include_formatting";
            return Err(invalid(message));
        }
        Ok(format)
    }

    fn roles(names: &[String]) -> PyResult<RoleSet> {
        if names.is_empty() { Ok(RoleSet::EMPTY) } else { names.join(",").parse().map_err(invalid) }
    }

    fn extraction(&self) -> PyResult<Extraction> {
        let mode = match (self.favor_precision, self.favor_recall) {
            (true, true) => return Err(invalid("favor_precision and favor_recall are mutually exclusive")),
            (true, _) => Mode::Precision,
            (_, true) => Mode::Recall,
            _ => Mode::Balanced,
        };
        if self.preset.is_some() && self.model.is_some() {
            return Err(invalid("preset and model are mutually exclusive"));
        }
        let name = self.preset.as_deref().unwrap_or("strata");
        let of_site = SiteMethod::ALL.into_iter().find(|method| method.name() == name);
        let preset = match of_site {
            // A method that needs other pages overrides the preset.
            Some(_) => Preset::KeepEverything,
            None => name.parse().map_err(invalid)?,
        };
        let defaults = ExtractOptions::from(preset);
        let rules = Rules::parse(&self.only_in, &self.include, &self.exclude).map_err(invalid)?;
        let options = defaults
            .mode(mode)
            .comments(self.include_comments.unwrap_or(true))
            .tables(self.include_tables.unwrap_or(true))
            .title(self.include_title)
            .keep_roles(Self::roles(&self.keep_roles)?)
            .drop_roles(Self::roles(&self.drop_roles)?)
            .rules(rules);
        let options = if self.verdicts_only || of_site.is_some() { options.refine(false).duplicates(true) } else { options };
        let options = match self.include_duplicates {
            Some(duplicates) => options.duplicates(duplicates),
            None => options,
        };
        let mut extraction = Extraction::new(options);
        match (of_site, &self.site) {
            (Some(method), Some(folder)) => {
                let folder = SiteFolder::open(folder, Default::default()).map_err(|error| Kind::Input.raise(error))?;
                extraction = extraction.with_site_method(method, folder);
            }
            (Some(method), None) => {
                return Err(invalid(format!(
                    "preset {method} needs other pages: run `webstrata site` on them and pass its folder with site"
                )));
            }
            (None, Some(_)) => {
                return Err(invalid(format!("site requires preset {}", SiteMethod::ALL.map(SiteMethod::name).join(", "))));
            }
            (None, None) => {}
        }
        if let Some(path) = &self.model {
            extraction = extraction.with_model_file(path).map_err(|error| Kind::Input.raise(error))?;
        }
        if let Some(path) = &self.site_rules {
            let unreadable = |error| Kind::Input.raise(format!("cannot read the site rules {}: {error}", path.display()));
            let text = std::fs::read_to_string(path).map_err(unreadable)?;
            let sites = SiteRules::parse(&text).map_err(|error| invalid(format!("{}: {error}", path.display())))?;
            let fixed = Fixed {
                preset: self.preset.is_some(),
                mode: mode != Mode::Balanced,
                comments: self.include_comments.is_some(),
                tables: self.include_tables.is_some(),
            };
            extraction = extraction.with_site_rules(sites).with_fixed(fixed);
        }
        Ok(extraction)
    }

    /// How pages are written.
    pub(crate) fn writer(&self) -> PyResult<PageWriter> {
        let tables = match self.markdown_tables.as_deref() {
            None | Some("auto") => MarkdownTables::Auto,
            Some("gfm") => MarkdownTables::Gfm,
            Some("html") => MarkdownTables::Html,
            Some(other) => return Err(invalid(format!("unknown table format '{other}'; use auto, gfm or html"))),
        };
        Ok(PageWriter {
            format: self.format()?,
            extraction: self.extraction()?,
            render: RenderOptions::default().links(self.include_links).images(self.include_images).markdown_tables(tables),
            with_metadata: self.with_metadata,
            links: self.include_links,
            images: self.include_images,
            explain: self.explain,
            ..PageWriter::default()
        })
    }

    /// How pages are read.
    pub(crate) fn page(&self) -> PyResult<PageOptions> {
        let encoding = match &self.encoding {
            Some(label) => Some(encoding(label)?),
            None => None,
        };
        if !(10..=1000).contains(&self.line_width) {
            return Err(invalid(format!("line_width is {}; give a number from 10 to 1000", self.line_width)));
        }
        let limits = [
            ("max_bytes", self.max_bytes as u64, Limits::MAX_BYTES as u64),
            ("max_nodes", u64::from(self.max_nodes), u64::from(Limits::MAX_NODES)),
            ("max_depth", u64::from(self.max_depth), u64::from(Limits::MAX_DEPTH)),
        ];
        for (name, value, most) in limits {
            if !(1..=most).contains(&value) {
                return Err(invalid(format!("{name} is {value}; give a number from 1 to {most}")));
            }
        }
        let limits = Limits::default().bytes(self.max_bytes).nodes(self.max_nodes).depth(self.max_depth);
        Ok(PageOptions::default()
            .limits(limits)
            .noscript(self.noscript)
            .encoding(encoding)
            .transport(self.content_type.clone())
            .words(WordOptions::default().line_width(self.line_width)))
    }

    pub(crate) fn target_language(&self) -> Option<String> {
        self.target_language.as_deref().map(primary)
    }
}

/// The encoding with this label.
fn encoding(label: &str) -> PyResult<&'static Encoding> {
    webstrata_corpus::input::encoding(label).map_err(invalid)
}

/// The language of a tag such as `pt-BR`.
pub(crate) fn primary(tag: &str) -> String {
    tag.split(['-', '_']).next().unwrap_or(tag).trim().to_ascii_lowercase()
}
