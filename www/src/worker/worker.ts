// The training worker.
export {}
