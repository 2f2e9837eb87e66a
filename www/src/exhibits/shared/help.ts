/** Explanations of the controls that all exhibits share. */
import { helpByTerm } from '../../lib/help'

export const help = helpByTerm({
  preset: 'Named set of settings. A choice restarts the run with these settings.',
  step: {
    speed: 'Limit of the training speed. At a low speed single steps of training can be followed.',
  },
  seed: {
    seed: 'Start value of all random numbers. The same seed and settings give the same run on the same engine and processor.',
  },
  compare:
    'Draws the curves of stored runs of this exhibit beside the curves of this run. A link with curves adds the runs of its sender.',
  band: 'Area around the mean of runs that differ in the seed only: from the minimum to the maximum, or the 95 % confidence interval of the mean (Student’s t-distribution), cut at the range of the metric, such as 0 to 500: the mean cannot be outside of it.',
  furtherSeeds:
    'Trains runs with the settings of this run and other seeds on the CPU, each to the number of steps of this run, or to the stop below. Runs that differ in the seed only show how much of a result is chance. Each run is stored, and drawn when it ends; this run is paused.',
  stopAt:
    'Number of steps at which this run, new runs of this exhibit, and further seeds pause, each at the end of the first update with at least this number. Empty: no stop. The stop is no setting of the learner: it changes nothing that is learned before. “Continue” trains further.',
  baseline:
    'Run, or runs that differ in the seed only, with which settings and metrics are compared in a table at the charts. Means of several runs are compared at the last step of the shortest run. With at least two runs on both sides, the table has the 95 % confidence interval of the difference (Welch’s t-test).',
  timeToSolve:
    'Steps and training time without pauses until the first report of metrics that met the criterion, as the page records them during training: mean with its 95 % confidence interval (Student’s t-distribution). Settings with a run that is not solved have no mean, because a mean over the solved runs only would be too small. A run of an older link has no record: its number is the first point of its curve that meets the criterion.',
  trainingTime:
    'Training time without pauses until the run was solved. Times are comparable only under the same conditions: machine, engine, number of threads, speed limit, whether another run trains beside, and whether the page draws the run. The table shows engine, threads and a run beside if these differ; compare such runs by steps. Runs of a link may be from another machine.',
  axis: 'Horizontal axis of all charts. Training time is in seconds without pauses. It includes the waits of a limited speed and the time in which the page draws. It is unknown for runs of opened files, and for older stored runs and links.',
  beside:
    'Settings of a second run that trains in this window beside this run. Both charts draw both runs. Other settings can be changed there. With the same settings on CPU and GPU, both runs learn the same at different speeds.',
  sharing:
    'How the two runs share the processor. With fewer than four processor threads, the runs train by turns; otherwise at the same time, the second run with half of the threads.',
  keepSecond:
    'Stores the second run under Runs, from now on. Otherwise only the first run is stored, and closing the second run deletes it.',
})
