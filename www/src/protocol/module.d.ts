// What a wasm module exports. Written from crates/web by `npm run declarations`.
import type {
    Command, Documents, Evaluation, Figure, GpuReport, MetricRow, OpenedRun, Problem, Progress, Reply, ViewRequest,
} from './types'

/** An array ready to draw, row-major. */
export interface FrameArray {
    shape: number[]
    /** Elements: bytes for arrays of bytes, such as the cells of a board, otherwise floats. */
    data: Float32Array<ArrayBuffer> | Uint8Array<ArrayBuffer>
}

/** Data of one frame to draw. */
export interface Frame {
    /** Arrays by name, such as `preview/state`. */
    arrays: Record<string, FrameArray>
    /** Documents that changed since the last frame; null if none changed. */
    documents: Documents | null
}

/**
 * Compute engines and the current experiment. If a method fails, the experiment is unchanged and the method throws a
 * `ThrownProblem`. All modules have the same methods, except that only the GPU module has `openGpu`.
 */
export class Session {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Trains for about `milliseconds`, but at least for one call of
     * [`Experiment::advance`](vivarium_lab::Experiment::advance). Ends early if the run is complete, or waits for the
     * GPU or a text. Returns the number of steps since the start of the run, in the unit of [`Progress::steps`].
     */
    advance(milliseconds: number): number;
    /**
     * Supplies the training text that the experiment waits for: files with their names, concatenated to one text.
     */
    bringText(names: string[], files: Uint8Array[]): void;
    /**
     * Drops the current experiment.
     */
    close(): void;
    /**
     * Executes a user command, an object of the family's command type. Returns the reply.
     */
    command(command: Command): Reply;
    /**
     * Replaces the current experiment by a new one with this name, config (an object) and seed.
     */
    create(name: string, config: object, seed: number): OpenedRun;
    /**
     * Returns the number of vectorized environments: the factor between a speed per environment and the total speed.
     */
    environments(): number;
    /**
     * Evaluates the greedy policy over complete episodes. Does not affect training.
     */
    evaluate(episodes: number, seed: number): Evaluation;
    /**
     * Returns the error that made the GPU unusable, or null. After a GPU failure, the experiment has the state of the
     * last readback.
     */
    fault(): Problem | null;
    /**
     * Returns the names of the benchmarks of a suite, in the order of their execution.
     */
    figures(suite: string): string[];
    /**
     * Advances the preview by `elapsed` seconds and returns the data to draw. The receiver owns the arrays.
     */
    frame(request: ViewRequest, elapsed: number): Frame;
    /**
     * Returns whether the experiment has left the GPU as planned, because its next phase runs only on the CPU.
     */
    hasLeftGpu(): boolean;
    /**
     * Runs a benchmark for some seconds. Resolves to its results; the array is empty if this module does not contain
     * the benchmark. `large` selects the size for a comparison with a hardware GPU. The experiment is unchanged, and
     * the session can be used during the benchmark.
     */
    measure(name: string, large: boolean): Promise<Figure[]>;
    /**
     * Returns the name of the training text that the experiment waits for; undefined if it does not wait for a text.
     */
    missingText(): string | undefined;
    /**
     * Creates a session with a CPU engine of `threads` threads: 1, or the size of the thread pool.
     */
    constructor(threads: number);
    /**
     * Opens a GPU; all later experiments run on it. Resolves to the adapter's description and the result of the
     * self-check.
     */
    openGpu(): Promise<GpuReport>;
    /**
     * Opens the network of a checkpoint file as a player. Does not affect training.
     */
    openPlayer(bytes: Uint8Array | number[]): void;
    /**
     * Replaces the current experiment by the experiment that a checkpoint stores.
     */
    open(bytes: Uint8Array | number[]): OpenedRun;
    /**
     * Returns the name, complete config, seed and progress of the experiment.
     */
    opened(): OpenedRun;
    /**
     * Returns a checkpoint that also contains the user's interactive state (such as an edited board), to continue in
     * another session.
     */
    pack(): Uint8Array<ArrayBuffer>;
    /**
     * Returns the progress of the run.
     */
    progress(): Progress;
    /**
     * Returns the complete state as the bytes of a checkpoint file.
     */
    save(): Uint8Array<ArrayBuffer>;
    /**
     * Changes a live field of the config, a field that may change during training. `path` is its dotted path, such as
     * `evaluation.every`.
     */
    set(path: string, value: unknown): void;
    /**
     * Removes and returns the metric rows that were reported since the last call, oldest first.
     */
    takeMetrics(): MetricRow[];
    /**
     * Returns whether the experiment waits for the GPU or for a missing text. GPU results arrive only between two
     * tasks of the worker.
     */
    waits(): boolean;
}

/**
 * Installs a panic hook that posts panic messages to the broadcast channel of this name. Only the first call has an
 * effect.
 */
export function start(channel: string): void;
