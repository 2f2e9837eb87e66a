/** Explanations of the controls that all exhibits share. */
import type { HelpText } from '../../lib/help'

export const help = {
  preset: { text: 'Named set of settings. A choice restarts the run with these settings.' },
  speed: {
    text: 'Limit of the training speed. At a low speed single steps of training can be followed.',
    term: 'step',
  },
  seed: {
    text: 'Start value of all random numbers. The same seed and settings give the same run on the same engine and processor.',
    term: 'seed',
  },
  command: { text: 'Copies the command that trains this experiment with the native program.' },
  compare: {
    text: 'Draws the curves of stored runs of this exhibit beside the curves of this run. A link with curves adds the run of its sender.',
  },
  baseline: {
    text: 'Run that the settings and the latest metrics of this run are compared with, in a table at the charts.',
  },
} satisfies Record<string, HelpText>
