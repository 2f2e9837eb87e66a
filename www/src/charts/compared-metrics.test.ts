import { expect, test } from 'vitest'
import type { ExperimentInfo } from '../engine/page/session'
import experiments from '../protocol/experiments.json'
import { tableCsv } from '../lib/csv'
import type { Config } from '../state/config'
import {
  compareMetrics,
  comparisonLatex,
  comparisonMarkdown,
  comparisonTable,
  differenceText,
  meanText,
  type RunState,
} from './compared-metrics'
import { lastCommonStep } from './step-range'

const info = (name: string) =>
  (experiments as unknown as ExperimentInfo[]).find((experiment) => experiment.name === name)!

/** Returns the rows of the comparison as text. */
const compare = (
  about: ExperimentInfo,
  config: Config,
  own: readonly RunState[],
  baseline: readonly RunState[],
) =>
  compareMetrics(about, config, { name: 'Own', runs: own }, { name: 'Base', runs: baseline }).metrics.map(
    (metric) => ({
      ...{ name: metric.name, label: metric.label },
      own: meanText(metric, 'own'),
      baseline: meanText(metric, 'baseline'),
      difference: differenceText(metric),
    }),
  )

const endsAt = (step: number) => ({ steps: [step], columns: {} })

test('the metrics of two runs are compared: results first, then the charts, and no metric that neither run has', () => {
  const about = info('logic-ca')
  const rows = compare(
    about,
    about.defaults as Config,
    [{ curves: endsAt(1000), latest: { hard_accuracy: 0.975, hard_loss: 12, soft_loss: 0.125 } }],
    [{ curves: endsAt(1000), latest: { hard_accuracy: 0.5, hard_loss: 20, decidedness: 0.25 } }],
  )
  expect(rows).toEqual([
    {
      name: 'hard_accuracy',
      label: 'Hard accuracy',
      own: '97.5 %',
      baseline: '50.0 %',
      difference: '+47.5 pp',
    },
    { name: 'soft_loss', label: 'Soft loss', own: '0.125', baseline: '–', difference: '–' },
    { name: 'hard_loss', label: 'Hard loss', own: '12', baseline: '20', difference: '−8' },
    { name: 'decidedness', label: 'Gate confidence', own: '–', baseline: '25.0 %', difference: '–' },
  ])
})

test('two runs are compared at the last step that both have reached', () => {
  const about = info('logic-ca')
  const long = {
    curves: {
      steps: [100, 200, 400, 800],
      columns: {
        hard_loss: [50, 40, 20, 5],
        hard_accuracy: [0.5, null, null, 1],
        soft_loss: [7, null, null, null],
      },
    },
    latest: { hard_loss: 4, hard_accuracy: 1, soft_loss: 1 },
  }
  const short = { curves: endsAt(300), latest: { hard_loss: 25, hard_accuracy: 0.6, soft_loss: 2 } }
  for (const [own, baseline] of [
    [long, short],
    [short, long],
  ] as const) {
    expect(lastCommonStep([own, baseline])).toBe(300)
    const rows = compare(about, about.defaults, [own], [baseline])
    const side = own === long ? 'own' : 'baseline'
    const at = (name: string) => rows.find((row) => row.name === name)?.[side]
    expect(at('hard_loss')).toBe('30')
    expect(Number.parseFloat(at('hard_accuracy')!)).toBeCloseTo(50 + (50 * 200) / 700, 0)
    expect(at('soft_loss')).toBe('7')
  }
})

test('means of several runs are compared at the last step of the shortest run, with an interval if both sides have several', () => {
  const about = info('logic-ca')
  const runOf = (loss: number, accuracy?: number, step = 1000) => ({
    curves: { steps: [0, step], columns: { hard_loss: [loss, loss] } },
    latest: { hard_loss: loss, ...(accuracy !== undefined && { hard_accuracy: accuracy }) },
  })
  const rows = (own: RunState[], baseline: RunState[]) =>
    compare(about, about.defaults, own, baseline).map(({ own, baseline, difference }) => [
      own,
      baseline,
      difference,
    ])
  const own = [runOf(1, 0.9), runOf(2, 0.8), runOf(3, 0.7)]
  const baseline = [runOf(11, 0.5), runOf(12, 0.4), runOf(13, 0.3)]
  // Standard error of the difference √(2/3) of the standard deviation; 4 degrees of freedom.
  expect(rows(own, baseline)).toEqual([
    ['80.0\u00a0±\u00a024.8 %', '40.0\u00a0±\u00a024.8 %', '+40.0\u00a0±\u00a022.7 pp'],
    ['2.0\u00a0±\u00a02.5', '12.0\u00a0±\u00a02.5', '−10.0\u00a0±\u00a02.3'],
  ])
  expect(rows(own.slice(0, 1), baseline)[1]).toEqual(['1', '12.0\u00a0±\u00a02.5', '−11'])
  expect(lastCommonStep([...own, runOf(4, 1, 700)])).toBe(700)
})

test('a comparison is a table of numbers, and a table in LaTeX and Markdown', () => {
  const about = info('logic-ca')
  const runOf = (accuracy: number, loss?: number) => ({
    curves: endsAt(1000),
    latest: { hard_accuracy: accuracy, ...(loss !== undefined && { hard_loss: loss }) },
  })
  const own = { name: 'Gates_2, seeds 1, 2', runs: [runOf(0.8, 1e-8), runOf(0.9, 3e-8)] }
  const baseline = { name: 'Default, seeds 1, 2', runs: [runOf(0.4), runOf(0.5)] }
  const compared = compareMetrics(about, about.defaults as Config, own, baseline)
  const [header, accuracy, loss] = tableCsv(comparisonTable(compared)).split('\r\n')
  expect(header).toBe(
    'metric,unit,step,runs,n,of,mean,interval_95,baseline_runs,baseline_n,baseline_of,baseline_mean,baseline_interval_95,difference,difference_interval_95',
  )
  // Student's t: 12.706 with one degree of freedom, 4.303 with two; standard error of a mean 0.05.
  expect(accuracy).toMatch(
    /^hard_accuracy,share,1000,"Gates_2, seeds 1, 2",2,2,0\.85,0\.6353\d+,"Default, seeds 1, 2",2,2,0\.45,0\.6353\d+,0\.4,0\.3042\d+$/,
  )
  expect(loss).toMatch(/^hard_loss,.*,2,2,2e-8,1\.2706\d*e-7,"Default, seeds 1, 2",0,0,,,,$/)
  expect(comparisonMarkdown(compared, 'Logic', 'steps').split('\n')).toEqual([
    'Logic after 1,000\u00a0steps: means over n seeds. ±: half of the 95\u00a0% confidence interval (Student’s t-distribution; of the difference: Welch’s t-test).',
    '',
    '| Metric | Gates_2, seeds 1, 2 (n = 2) | Default, seeds 1, 2 (n = 2), baseline | Difference |',
    '| --- | ---: | ---: | ---: |',
    '| Hard accuracy | 85.0\u00a0±\u00a063.5 % | 45.0\u00a0±\u00a063.5 % | +40.0\u00a0±\u00a030.4 pp |',
    '| Hard loss\u00a0(bits) | 2e−8\u00a0±\u00a01.3e−7 | – | – |',
    '',
  ])
  const text = comparisonLatex(compared, 'Logic', 'steps')
  expect(text).toContain(
    '    Metric & Gates\\_2, seeds 1, 2 (n = 2) & Default, seeds 1, 2 (n = 2), baseline & Difference \\\\\n',
  )
  expect(text).toContain(
    '    Hard accuracy & 85.0~$\\pm$~63.5 \\% & 45.0~$\\pm$~63.5 \\% & +40.0~$\\pm$~30.4 pp \\\\\n',
  )
  expect(text).toContain('2$\\times 10^{-8}$~$\\pm$~')
  expect(text).not.toMatch(/[±−–\u00a0’]/)
})
