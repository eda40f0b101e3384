//! Reading pages: what is read, what is skipped, where reading resumes, and what hostile files can do.

mod columns;
mod damage;
mod encodings;
mod forms;
mod hostile;
mod pages;
mod resume;
mod support;
