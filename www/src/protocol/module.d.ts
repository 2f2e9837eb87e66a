// What a wasm module exports. Written from crates/web by `npm run declarations`.
import type {
    Command, Documents, Evaluation, Figure, GpuReport, MetricRow, OpenedRun, Problem, Progress, Reply, ViewRequest,
} from './types'

/** An array ready to draw, row-major. */
export interface FrameArray {
    shape: number[]
    /** Bytes if the values are bytes, such as the cells of a board. */
    data: Float32Array<ArrayBuffer> | Uint8Array<ArrayBuffer>
}

/** Data of one frame to draw. */
export interface Frame {
    /** By name, such as `preview/state`. */
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
     * Trains for about this many milliseconds, at least one slice, or until it must wait for the device. Returns the
     * environment steps since the start of the run.
     */
    advance(milliseconds: number): number;
    /**
     * Supplies the text that the experiment waits for: files with their names, concatenated to one text.
     */
    bringText(names: string[], files: Uint8Array[]): void;
    /**
     * Drops the experiment.
     */
    close(): void;
    /**
     * Executes a command.
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
     * Returns why the GPU can no longer be used, or null. The experiment keeps the state of the last readback.
     */
    fault(): Problem | null;
    /**
     * Returns the names of a suite's benchmarks, in order.
     */
    figures(suite: string): string[];
    /**
     * Returns the data to draw after `elapsed` more seconds. The receiver owns the arrays.
     */
    frame(request: ViewRequest, elapsed: number): Frame;
    /**
     * Returns whether the experiment has left the GPU as planned, because its next phase runs only on the CPU.
     */
    hasLeftGpu(): boolean;
    /**
     * Runs a benchmark for some seconds. Resolves to its figures; empty if this module does not have it. `large`
     * selects the size for a comparison with a hardware GPU. Does not affect the experiment; the session stays usable
     * meanwhile.
     */
    measure(name: string, large: boolean): Promise<Figure[]>;
    /**
     * Returns the name of the text that the experiment waits for; undefined if it waits for none.
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
     * Replaces the current experiment by that of a checkpoint.
     */
    open(bytes: Uint8Array | number[]): OpenedRun;
    /**
     * Returns the name, complete config, seed and progress of the experiment.
     */
    opened(): OpenedRun;
    /**
     * Returns a checkpoint that also contains the user's interactive state, to continue in another session.
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
     * Sets a live field of the config by its dotted path.
     */
    set(path: string, value: unknown): void;
    /**
     * Returns the metric rows since the last call, oldest first.
     */
    takeMetrics(): MetricRow[];
    /**
     * Returns whether the experiment waits for the device or for a missing text. Results of the device arrive only
     * between two tasks of the worker.
     */
    waits(): boolean;
}

/**
 * Installs a panic hook that posts panic messages to the broadcast channel of this name. Only the first call has an
 * effect.
 */
export function start(channel: string): void;
