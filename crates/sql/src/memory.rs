//! The memory of a query, which its operators share.

use std::fmt;

use datafusion::error::Result;
use datafusion::execution::memory_pool::{
    FairSpillPool, MemoryConsumer, MemoryLimit, MemoryPool, MemoryReservation,
};

/// Memory of which every operator that can spill has the same share.
///
/// A repartition never spills, because two of its inputs that spill at once may wait for each other for ever
/// (<https://github.com/apache/datafusion/issues/24883>, also in DataFusion 55.2). What it holds counts beyond the limit.
#[derive(Debug)]
pub struct QueryMemory(FairSpillPool);

impl QueryMemory {
    /// Memory of so many bytes.
    pub fn new(bytes: usize) -> Self {
        QueryMemory(FairSpillPool::new(bytes))
    }
}

impl fmt::Display for QueryMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl MemoryPool for QueryMemory {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn register(&self, consumer: &MemoryConsumer) {
        self.0.register(consumer);
    }

    fn unregister(&self, consumer: &MemoryConsumer) {
        self.0.unregister(consumer);
    }

    fn grow(&self, reservation: &MemoryReservation, additional: usize) {
        self.0.grow(reservation, additional);
    }

    fn shrink(&self, reservation: &MemoryReservation, bytes: usize) {
        self.0.shrink(reservation, bytes);
    }

    fn try_grow(&self, reservation: &MemoryReservation, additional: usize) -> Result<()> {
        if !reservation.consumer().name().starts_with("RepartitionExec[") {
            return self.0.try_grow(reservation, additional);
        }
        self.0.grow(reservation, additional);
        Ok(())
    }

    fn reserved(&self) -> usize {
        self.0.reserved()
    }

    fn memory_limit(&self) -> MemoryLimit {
        self.0.memory_limit()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn only_a_repartition_may_have_more_than_its_share() {
        let memory: Arc<dyn MemoryPool> = Arc::new(QueryMemory::new(1000));
        let consumer = |name: &str| MemoryConsumer::new(name).with_can_spill(true).register(&memory);
        let (sort, repartition) = (consumer("ExternalSorter[0]"), consumer("RepartitionExec[0]"));
        assert!(sort.try_grow(400).is_ok() && sort.try_grow(400).is_err());
        assert!(repartition.try_grow(400).is_ok() && repartition.try_grow(4000).is_ok());
        drop((sort, repartition));
        assert_eq!(memory.reserved(), 0);
    }
}
