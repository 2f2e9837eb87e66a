// What a wasm module exports. Written from crates/web by `npm run declarations`.
import type {
    Command, Documents, Evaluation, Figure, GpuReport, MetricRow, OpenedRun, Problem, Progress, Reply, ViewRequest,
} from './types'

/** An array ready to draw, row-major. */
export interface FrameArray {
    shape: number[]
    /** Bytes where they are enough: a board of a million cells is redrawn sixty times a second. */
    data: Float32Array<ArrayBuffer> | Uint8Array<ArrayBuffer>
}

/** What there is to draw at one moment. */
export interface Frame {
    /** By name, such as `preview/state`. */
    arrays: Record<string, FrameArray>
    /** Those that have changed since the last frame; null where none has. */
    documents: Documents | null
}

/**
 * Engines and, once made or opened, an experiment. A method that fails leaves the experiment as it was and throws
 * `ThrownProblem`. Every module has the same methods, except that only the GPU's has `openGpu`.
 */
export class Session {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Works for about so many milliseconds, at least one slice, or until there is nothing to do before a device has
     * caught up. Returns the environment steps done since the start of the run.
     */
    advance(milliseconds: number): number;
    /**
     * Brings the text that the experiment waits for: files with their names, which are one text together.
     */
    bringText(names: string[], files: Uint8Array[]): void;
    /**
     * Forgets the experiment.
     */
    close(): void;
    /**
     * Carries out a command.
     */
    command(command: Command): Reply;
    /**
     * Makes a new experiment from its name, its config (an object) and a seed, in place of the present one.
     */
    create(name: string, config: object, seed: number): OpenedRun;
    /**
     * How many environments are stepped together: what a speed per environment is multiplied by.
     */
    environments(): number;
    /**
     * Runs whole episodes with the greedy policy, apart from training.
     */
    evaluate(episodes: number, seed: number): Evaluation;
    /**
     * Why the GPU cannot be used any more; null while all is well. The experiment is as it was when it last read back what
     * it had learned.
     */
    fault(): Problem | null;
    /**
     * The names of what a suite measures, in order.
     */
    figures(suite: string): string[];
    /**
     * What there is to draw after so many seconds more. The arrays are the receiver's own.
     */
    frame(request: ViewRequest, elapsed: number): Frame;
    /**
     * Whether the experiment has left the GPU as planned, because what comes next is work for the CPU alone.
     */
    hasLeftGpu(): boolean;
    /**
     * Measures for some seconds; resolves to the figures, none where this module has nothing of that name. `large`: to
     * stand beside a GPU that is no software adapter. The experiment is not touched, and the session may be used
     * meanwhile.
     */
    measure(name: string, large: boolean): Promise<Figure[]>;
    /**
     * What the experiment's config calls the text that it waits for; undefined where it waits for none.
     */
    missingText(): string | undefined;
    /**
     * A CPU engine of so many threads: 1, or as many as the pool was started with.
     */
    constructor(threads: number);
    /**
     * Opens a GPU, on which every experiment runs from then on. Resolves to what it is and what the self-check found.
     */
    openGpu(): Promise<GpuReport>;
    /**
     * Opens the network of a checkpoint file to play with. Training is not touched.
     */
    openPlayer(bytes: Uint8Array | number[]): void;
    /**
     * Opens a checkpoint in place of the present experiment.
     */
    open(bytes: Uint8Array | number[]): OpenedRun;
    /**
     * Name, whole config, seed and progress of the experiment.
     */
    opened(): OpenedRun;
    /**
     * The same with what a person has set up to play with, for another session to go on with.
     */
    pack(): Uint8Array<ArrayBuffer>;
    /**
     * How far the run is.
     */
    progress(): Progress;
    /**
     * The whole state as the bytes of a checkpoint file.
     */
    save(): Uint8Array<ArrayBuffer>;
    /**
     * Sets a live field of the config: its dotted path and its value.
     */
    set(path: string, value: unknown): void;
    /**
     * Metric rows since the last call, oldest first.
     */
    takeMetrics(): MetricRow[];
    /**
     * Whether there is nothing to do until a device has caught up, which it can only find out between two tasks, or until the
     * text has been brought that is missing.
     */
    waits(): boolean;
}

/**
 * Prepares the module, once: from now on a panic is sent to the broadcast channel of this name.
 */
export function start(channel: string): void;
