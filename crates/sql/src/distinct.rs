//! Names of the columns of a result, each once.

use std::collections::BTreeSet;
use std::sync::Arc;

use datafusion::arrow::datatypes::{Field, Schema, SchemaRef};

/// The names, in which one that comes again has a number: an object of JSON has each once.
pub(crate) fn distinct(names: Vec<String>) -> Vec<String> {
    let mut taken: BTreeSet<String> = names.iter().cloned().collect();
    let mut seen = BTreeSet::new();
    let mut another = |name: String| {
        if seen.insert(name.clone()) {
            return name;
        }
        let mut numbered = (2u64..).map(|number| format!("{name}_{number}"));
        let free = numbered.find(|name| !taken.contains(name)).unwrap_or_default();
        taken.insert(free.clone());
        free
    };
    names.into_iter().map(&mut another).collect()
}

/// The schema with distinct names; `None` if they are distinct.
pub(crate) fn with_distinct_names(schema: &Schema) -> Option<SchemaRef> {
    let names: Vec<String> = schema.fields().iter().map(|field| field.name().clone()).collect();
    let free = distinct(names.clone());
    let field = |(field, name): (&Arc<Field>, String)| Field::clone(field).with_name(name);
    (free != names)
        .then(|| Arc::new(Schema::new(schema.fields().iter().zip(free).map(field).collect::<Vec<_>>())))
}
