//! Aggregates of moving frames, without taking values away again.
//!
//! The engine subtracts the values that leave a frame. Where a large, infinite or invalid number leaves, what it swallowed
//! stays lost. Here the frame is two stacks of states (the queue of "Low-Latency Sliding-Window Aggregation in Worst-Case Constant
//! Time", Tangwongsan, Hirzel, Schneider, 2017): each value enters a state twice and none is subtracted.

use std::sync::Arc;

use datafusion::arrow::array::ArrayRef;
use datafusion::arrow::datatypes::{DataType, FieldRef, Schema};
use datafusion::common::ScalarValue;
use datafusion::error::Result;
use datafusion::logical_expr::function::{AccumulatorArgs, AggregateFunctionSimplification, StateFieldsArgs};
use datafusion::logical_expr::utils::AggregateOrderSensitivity;
use datafusion::logical_expr::{
    Accumulator, AggregateUDF, AggregateUDFImpl, Documentation, GroupsAccumulator, ReversedUDAF,
    SetMonotonicity, Signature,
};
use datafusion::physical_expr::{PhysicalExpr, PhysicalSortExpr};

/// The functions of floats whose values the engine takes away again; `sum` has exact kinds of its own.
pub(super) const FUNCTIONS: [&str; 17] = [
    "avg",
    "corr",
    "covar_pop",
    "covar_samp",
    "regr_avgx",
    "regr_avgy",
    "regr_count",
    "regr_intercept",
    "regr_r2",
    "regr_slope",
    "regr_sxx",
    "regr_sxy",
    "regr_syy",
    "stddev",
    "stddev_pop",
    "var",
    "var_pop",
];

/// A function of the engine with another accumulator of moving frames.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct Sliding {
    engines: Arc<AggregateUDF>,
}

impl Sliding {
    pub(super) fn new(engines: Arc<AggregateUDF>) -> Self {
        Self { engines }
    }
}

impl AggregateUDFImpl for Sliding {
    fn name(&self) -> &str {
        self.engines.name()
    }

    fn aliases(&self) -> &[String] {
        self.engines.aliases()
    }

    fn signature(&self) -> &Signature {
        self.engines.signature()
    }

    fn return_type(&self, given: &[DataType]) -> Result<DataType> {
        self.engines.return_type(given)
    }

    fn return_field(&self, given: &[FieldRef]) -> Result<FieldRef> {
        self.engines.return_field(given)
    }

    fn is_nullable(&self) -> bool {
        self.engines.is_nullable()
    }

    fn coerce_types(&self, given: &[DataType]) -> Result<Vec<DataType>> {
        self.engines.coerce_types(given)
    }

    fn accumulator(&self, args: AccumulatorArgs<'_>) -> Result<Box<dyn Accumulator>> {
        self.engines.accumulator(args)
    }

    fn create_sliding_accumulator(&self, args: AccumulatorArgs<'_>) -> Result<Box<dyn Accumulator>> {
        let engines = Arc::clone(&self.engines);
        Ok(Box::new(Frame::new(&args, Box::new(move |args| engines.accumulator(args)))?))
    }

    fn state_fields(&self, args: StateFieldsArgs<'_>) -> Result<Vec<FieldRef>> {
        self.engines.state_fields(args)
    }

    fn groups_accumulator_supported(&self, args: AccumulatorArgs<'_>) -> bool {
        self.engines.groups_accumulator_supported(args)
    }

    fn create_groups_accumulator(&self, args: AccumulatorArgs<'_>) -> Result<Box<dyn GroupsAccumulator>> {
        self.engines.create_groups_accumulator(args)
    }

    fn order_sensitivity(&self) -> AggregateOrderSensitivity {
        self.engines.order_sensitivity()
    }

    fn simplify(&self) -> Option<AggregateFunctionSimplification> {
        self.engines.simplify()
    }

    fn reverse_expr(&self) -> ReversedUDAF {
        self.engines.reverse_udf()
    }

    fn default_value(&self, data_type: &DataType) -> Result<ScalarValue> {
        self.engines.default_value(data_type)
    }

    fn set_monotonicity(&self, data_type: &DataType) -> SetMonotonicity {
        self.engines.inner().set_monotonicity(data_type)
    }

    fn documentation(&self) -> Option<&Documentation> {
        self.engines.documentation()
    }
}

type Make = dyn Fn(AccumulatorArgs<'_>) -> Result<Box<dyn Accumulator>> + Send + Sync;

/// The arguments of an accumulator, kept to begin a state at any time.
struct Factory {
    return_field: FieldRef,
    schema: Schema,
    ignore_nulls: bool,
    order_bys: Vec<PhysicalSortExpr>,
    is_reversed: bool,
    name: String,
    is_distinct: bool,
    exprs: Vec<Arc<dyn PhysicalExpr>>,
    expr_fields: Vec<FieldRef>,
    make: Box<Make>,
}

impl Factory {
    fn state(&self) -> Result<Box<dyn Accumulator>> {
        (self.make)(AccumulatorArgs {
            return_field: Arc::clone(&self.return_field),
            schema: &self.schema,
            ignore_nulls: self.ignore_nulls,
            order_bys: &self.order_bys,
            is_reversed: self.is_reversed,
            name: &self.name,
            is_distinct: self.is_distinct,
            exprs: &self.exprs,
            expr_fields: &self.expr_fields,
        })
    }
}

/// The values of a moving frame: those at its front as states, those at its rear as they came.
pub(super) struct Frame {
    factory: Factory,
    /// The states from each of these rows to the last of them; the first row is last.
    front: Vec<Vec<ScalarValue>>,
    rear: Box<dyn Accumulator>,
    rows: Vec<Vec<ArrayRef>>,
}

impl std::fmt::Debug for Frame {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Frame").field("name", &self.factory.name).finish_non_exhaustive()
    }
}

impl Frame {
    pub(super) fn new(args: &AccumulatorArgs<'_>, make: Box<Make>) -> Result<Self> {
        let factory = Factory {
            return_field: Arc::clone(&args.return_field),
            schema: args.schema.clone(),
            ignore_nulls: args.ignore_nulls,
            order_bys: args.order_bys.to_vec(),
            is_reversed: args.is_reversed,
            name: args.name.to_owned(),
            is_distinct: args.is_distinct,
            exprs: args.exprs.to_vec(),
            expr_fields: args.expr_fields.to_vec(),
            make,
        };
        let rear = factory.state()?;
        Ok(Self { factory, front: Vec::new(), rear, rows: Vec::new() })
    }

    /// Makes the rear the front.
    fn turn(&mut self) -> Result<()> {
        let mut state = self.factory.state()?;
        for values in self.rows.drain(..).rev() {
            let rows = values.first().map_or(0, |array| array.len());
            for row in (0..rows).rev() {
                let one: Vec<ArrayRef> = values.iter().map(|array| array.slice(row, 1)).collect();
                state.update_batch(&one)?;
                self.front.push(state.state()?);
            }
        }
        self.rear = self.factory.state()?;
        Ok(())
    }
}

fn arrays(state: &[ScalarValue]) -> Result<Vec<ArrayRef>> {
    state.iter().map(ScalarValue::to_array).collect()
}

impl Accumulator for Frame {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        self.rows.push(values.to_vec());
        self.rear.update_batch(values)
    }

    fn retract_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        for _ in 0..values.first().map_or(0, |array| array.len()) {
            if self.front.is_empty() {
                self.turn()?;
            }
            self.front.pop();
        }
        Ok(())
    }

    fn supports_retract_batch(&self) -> bool {
        true
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        let Some(front) = self.front.last() else { return self.rear.evaluate() };
        let mut state = self.factory.state()?;
        state.merge_batch(&arrays(front)?)?;
        state.merge_batch(&arrays(&self.rear.state()?)?)?;
        state.evaluate()
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        self.rear.merge_batch(states)
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        self.rear.state()
    }

    fn size(&self) -> usize {
        let states = self.front.iter().flatten().map(ScalarValue::size).sum::<usize>();
        let rows = self.rows.iter().flatten().map(|array| array.get_array_memory_size().min(1 << 10));
        size_of_val(self) + self.rear.size() + states + rows.sum::<usize>()
    }
}
