//! The surfer that the options of `rank pagerank` describe.

use crate::args::{PagerankArgs, SurferName};
use anyhow::{Result, bail};
use webstrata_corpus::graph::rank::{Choice, LinkWeights, SolveOptions, Surfer};

/// Sets the surfer, unless it is plain PageRank's.
pub(super) fn set(args: &PagerankArgs, options: &mut SolveOptions) -> Result<()> {
    let by_host = args.stay.is_some() || args.leave.is_some();
    let name = match args.surfer {
        Some(name) => name,
        None if !args.again.is_empty() => bail!("--again needs --surfer strata"),
        None if !args.weight.is_empty() => SurferName::Weighted,
        None if by_host => SurferName::Hosts,
        None if args.absent.is_some() => bail!("--absent needs --surfer hosts or --surfer strata"),
        None => return Ok(()),
    };
    let (stay, leave) = (args.stay.unwrap_or(0.5), args.leave.unwrap_or(0.5));
    let unused = |given: bool, option: &str, others: &str| {
        if given {
            bail!("--surfer {} has no {option}; use it with --surfer {others}", name_of(name));
        }
        Ok(())
    };
    if name != SurferName::Strata {
        unused(!args.again.is_empty(), "--again", "strata")?;
    }
    let choice = match name {
        SurferName::Weighted => {
            unused(args.absent.is_some(), "--absent", "hosts or strata")?;
            let mut weights = LinkWeights { stay, leave, ..LinkWeights::default() };
            args.weight.iter().for_each(|&(stratum, weight)| weights.set(stratum, weight));
            options.link_weights = (weights != LinkWeights::default()).then_some(weights);
            return Ok(());
        }
        SurferName::Hosts => {
            unused(!args.weight.is_empty(), "--weight", "strata or weighted")?;
            for (option, value) in [("--stay", stay), ("--leave", leave)] {
                if !(0.0..=1.0).contains(&value) {
                    bail!(
                        "invalid value {value} for {option}: it must be a probability from 0 to 1; link weights need --surfer weighted"
                    );
                }
            }
            Choice::Hosts { stay, leave }
        }
        SurferName::Strata => {
            unused(by_host, "--stay or --leave", "hosts or weighted")?;
            let (mut weights, mut again) = ([1.0; 8], [None; 8]);
            args.weight.iter().for_each(|&(stratum, weight)| weights[stratum as usize] = weight);
            args.again.iter().for_each(|&(stratum, probability)| again[stratum as usize] = Some(probability));
            Choice::Strata { weights, again }
        }
    };
    options.surfer = Some(Surfer { choice, absent: args.absent.map_or_else(Default::default, Into::into) });
    Ok(())
}

/// The value of `--surfer`.
fn name_of(name: SurferName) -> &'static str {
    match name {
        SurferName::Hosts => "hosts",
        SurferName::Strata => "strata",
        SurferName::Weighted => "weighted",
    }
}
