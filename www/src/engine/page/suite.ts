// Benchmarks of the page, run one after another.
import type { Engines } from './engines'
import type { Figure } from '../../protocol/types'
import type { BenchSuite } from '../shared/messages'

/**
 * Runs a suite and reports each result. A result of the GPU includes the result of the CPU as a reference. Without a GPU, the
 * suite `gpu` is empty.
 */
export async function measure(
  suite: BenchSuite,
  engines: Engines,
  report: (figure: Figure) => void,
): Promise<Figure[]> {
  const cpu = await engines.link('cpu')
  const link = suite === 'gpu' ? await engines.link('gpu').catch(() => null) : cpu
  const large = engines.gpu.report?.software !== true
  const figures: Figure[] = []
  for (const name of (await link?.ask('figures', { suite })) ?? []) {
    for (const figure of await link!.ask('measure', { name, large })) {
      const [rival] = link === cpu ? [] : await cpu.ask('measure', { name, large })
      if (rival) figure.rival = { name: `CPU, ${threads(rival.threads ?? 1)}`, value: rival.value }
      report(figure)
      figures.push(figure)
    }
  }
  return figures
}

/** Runs a suite in separate workers, which are terminated at the end. */
export async function measureAlone(
  suite: BenchSuite,
  engines: Engines,
  report: (figure: Figure) => void,
): Promise<Figure[]> {
  try {
    if (suite === 'gpu') await engines.detectGpu()
    return await measure(suite, engines, report)
  } finally {
    engines.end()
  }
}

const threads = (count: number): string => `${count} ${count === 1 ? 'thread' : 'threads'}`
