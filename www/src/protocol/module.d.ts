// What a wasm module exports. Written by `npm run declarations`.
import type { Frame } from './frame'
import type {
    Command, Evaluation, Figure, GpuReport, MetricRow, OpenedRun, Problem, Progress, Reply, ViewRequest,
} from './types'

/**
 * Compute engines and the current experiment. If a method fails, the experiment is unchanged and the method throws a
 * `ThrownProblem`. The sessions of all wasm modules have the same methods, except that only the GPU module has
 * `openGpu`.
 */
export class Session {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Trains for about `milliseconds`, but at least for one call of
     * [`Experiment::advance`](vivarium_lab::Experiment::advance). Stops early if the run is complete or waits for the
     * GPU or a text. Returns the number of steps since the start of the run, in the unit of [`Progress::steps`].
     */
    advance(milliseconds: number): number;
    /**
     * Supplies the training text that the experiment waits for, as files with their names. The files are concatenated
     * to one text.
     */
    bringText(names: string[], files: Uint8Array[]): void;
    /**
     * Drops the current experiment.
     */
    close(): void;
    /**
     * Executes a user command, an object of the command type of the experiment's family. Returns the reply.
     */
    command(command: Command): Reply;
    /**
     * Replaces the current experiment by a new experiment with this name, config (an object) and seed.
     */
    create(name: string, config: object, seed: number): OpenedRun;
    /**
     * Returns the number of training environments that are stepped in parallel. The total speed is this number times
     * the speed per environment.
     */
    environments(): number;
    /**
     * Evaluates the trained policy, network or circuit on `episodes` trials, such as episodes, games or boards. Does
     * not affect training.
     */
    evaluate(episodes: number, seed: number): Evaluation;
    /**
     * Returns the error that made the GPU unusable, or null. After a GPU failure, the experiment has the state of the
     * last readback.
     */
    fault(): Problem | null;
    /**
     * Returns the names of the benchmarks of a suite, in the order of execution.
     */
    figures(suite: string): string[];
    /**
     * Advances previews, sandboxes and games of the user by `elapsed` seconds, and returns the frame that the view
     * request `request` selects. The receiver owns the arrays.
     */
    frame(request: ViewRequest, elapsed: number): Frame;
    /**
     * Returns whether the experiment has left the GPU as planned, because its next phase runs only on the CPU.
     */
    hasLeftGpu(): boolean;
    /**
     * Runs the benchmark `name` for some seconds. Resolves to its results; an empty array if this wasm module does not
     * contain the benchmark. `large` selects the size for a comparison with a hardware GPU. Does not affect the
     * experiment. During a GPU benchmark, other methods can be called.
     */
    measure(name: string, large: boolean): Promise<Figure[]>;
    /**
     * Returns the name of the training text that the experiment lacks and waits for; undefined if the experiment waits
     * for no text.
     */
    missingText(): string | undefined;
    /**
     * Creates a session whose CPU engine has `threads` threads: 1, or the size of the thread pool.
     */
    constructor(threads: number);
    /**
     * Opens a GPU, on which all experiments run that are created or opened later. Resolves to the adapter's
     * description and the result of the self-check.
     */
    openGpu(): Promise<GpuReport>;
    /**
     * Opens the network of a checkpoint file as a player of board games, or as a solver of cubes. Does not affect
     * training.
     */
    openPlayer(bytes: Uint8Array | number[]): void;
    /**
     * Replaces the current experiment by the experiment that a checkpoint stores.
     */
    open(bytes: Uint8Array | number[]): OpenedRun;
    /**
     * Returns name, complete config, seed and progress of the current experiment.
     */
    opened(): OpenedRun;
    /**
     * Returns the bytes of a checkpoint that also contains the user's interactive state, such as an edited board.
     * Another session continues from this checkpoint.
     */
    pack(): Uint8Array<ArrayBuffer>;
    /**
     * Returns the numbers of steps, gradient steps and episodes of the run.
     */
    progress(): Progress;
    /**
     * Returns the state of training as the bytes of a checkpoint file.
     */
    save(): Uint8Array<ArrayBuffer>;
    /**
     * Changes the value of a live config field, which is a field that may change during training. `path` is the dotted
     * path of the field, such as `evaluation.every`.
     */
    set(path: string, value: unknown): void;
    /**
     * Removes and returns the metric rows that were reported since the last call, oldest first.
     */
    takeMetrics(): MetricRow[];
    /**
     * Returns whether the experiment waits for GPU results or a training text. GPU results arrive only between two
     * tasks of the worker, so the worker has to yield.
     */
    waits(): boolean;
}

/**
 * Installs a panic hook that posts panic messages to the broadcast channel `channel`. Only the first call has an
 * effect.
 */
export function start(channel: string): void;
