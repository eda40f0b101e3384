//! Guarantees of the public types that the compiler checks: threads may share them, and errors fit in a `Box<dyn Error>`.

use std::error::Error;
use std::fmt::{Debug, Display};
use std::hash::Hash;
use std::str::FromStr;
use webstrata::block::{BlockTable, Blocks, BlocksIter, Features};
use webstrata::content::metadata::Metadata;
use webstrata::content::{Content, Document, LabelledSegment, LabelledSegments, LabelledSegmentsIter};
use webstrata::html::{Dom, Parser};
use webstrata::label::strata::{ContentModel, PageType, SiteEvidence, SiteSignals, StrataLabeller, UnknownPageType};
use webstrata::label::{Explanation, Labeller, Labels, Pipeline, Preset, Role, UnknownPreset, UnknownRole};
use webstrata::segment::{Granularity, Method, RuleSet, Segment, Segmentation, Segmenter, Segments, SegmentsIter};
use webstrata::segment::{UnknownGranularity, UnknownMethod, UnknownRules};
use webstrata::select::{Mode, Rules, SegmentVerdict, Selection, UnknownMode};
use webstrata::{ExtractOptions, Limits, ModelError, Page, PageOptions, PageReader, Problem, Span};

fn is_shared<T: Send + Sync + Debug>() {}

fn is_error<T: Error + Send + Sync + 'static>() {}

fn is_value<T: Clone + Debug + PartialEq>() {}

fn is_key<T: Copy + Debug + Eq + Hash>() {}

fn is_named<T: Display + FromStr<Err: Error + Send + Sync + 'static>>() {}

#[test]
fn threads_share_pages_and_results() {
    is_shared::<(Page<'_>, PageReader, PageOptions, ExtractOptions, Limits, Problem, Span)>();
    is_shared::<(Dom<'_>, Parser, BlockTable, Blocks<'_>, BlocksIter<'_>, Features)>();
    is_shared::<(Labels, Explanation<'_>, Pipeline, StrataLabeller<'_>, ContentModel, SiteEvidence)>();
    is_shared::<(Segmentation, Segments<'_>, SegmentsIter<'_, '_>, Segment<'_>)>();
    is_shared::<(LabelledSegments<'_>, LabelledSegmentsIter<'_>, LabelledSegment<'_>)>();
    is_shared::<(Content<'_>, Document, Metadata, Rules, Selection, SegmentVerdict)>();
    is_shared::<(Box<dyn Labeller>, Box<dyn Segmenter>, Box<dyn SiteSignals>)>();
}

#[test]
fn errors_can_be_boxed_and_sent() {
    is_error::<UnknownPreset>();
    is_error::<UnknownRole>();
    is_error::<UnknownPageType>();
    is_error::<UnknownMode>();
    is_error::<UnknownMethod>();
    is_error::<UnknownRules>();
    is_error::<UnknownGranularity>();
    is_error::<ModelError>();
    #[cfg(feature = "selectors")]
    is_error::<webstrata::html::SelectorError>();
    #[cfg(feature = "site-rules")]
    is_error::<webstrata::select::SiteRulesError>();
    #[cfg(feature = "json")]
    is_error::<webstrata::label::TrainedModelError>();
}

#[test]
fn values_compare_and_names_parse() {
    is_value::<(PageOptions, ExtractOptions, Labels, SegmentVerdict, Metadata, Rules)>();
    is_key::<(Role, PageType, Mode, Preset, Method, RuleSet, Problem, Span)>();
    is_named::<Role>();
    is_named::<PageType>();
    is_named::<Mode>();
    is_named::<Preset>();
    is_named::<Method>();
    is_named::<RuleSet>();
    is_named::<Granularity>();
}
