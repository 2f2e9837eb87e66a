import { describe, expect, test, vi } from 'vitest'
import { loadExperiments, type Session } from '../../../engine/page/session'
import { Lab } from '../../../state/lab.svelte'
import type { Attachment, RunStorage } from '../../../state/saving'
import type { Steer } from '../../shared/family'
import {
  isText,
  modelFiles,
  nameOf,
  pastedText,
  presetFor,
  textOf,
  tooShort,
  type TextFile,
} from './textFiles'
import { OwnTexts } from './ownTexts.svelte'

// matchMedia is not available in the test environment.
vi.mock('../../../state/theme.svelte', () => ({ theme: { reducedMotion: true } }))

const file = (name: string, content: string | Uint8Array): TextFile => {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  return { name, size: bytes.length, arrayBuffer: async () => bytes.slice().buffer }
}
const problemOf = async (...files: TextFile[]) => {
  const text = await textOf(files, 1000)
  return 'problem' in text ? text.problem : null
}

describe('text files', () => {
  test('several files are one text', async () => {
    const text = await textOf([file('a.txt', 'one'), file('b.md', 'two'), file('c.png', 'three')], 1000)
    if ('problem' in text) throw new Error(text.problem)
    expect(text.files.map(({ name }) => name)).toEqual(['a.txt', 'b.md'])
    expect(text.name).toBe('a.txt and 1 more')
  })

  test('a folder with the files of a GPT-2 model is a model', () => {
    const names = ['config.json', 'model.safetensors', 'tokenizer.json', 'vocab.json']
    const files = names.map((name) => file(`gpt2/${name}`, '{}'))
    expect(modelFiles(files)).toEqual({ config: files[0], weights: files[1], tokenizer: files[2] })
    expect(modelFiles(files.slice(1))).toBeNull()
    // The files of a model are in one folder.
    expect(modelFiles([file('gpt2/onnx/config.json', '{}'), ...files.slice(1)])).toBeNull()
  })

  test('a folder determines the name', () => {
    expect(nameOf([file('book/1.txt', 'a'), file('book/2.txt', 'b')])).toBe('book')
    expect(nameOf([file('book/1.txt', 'a'), file('other.txt', 'b')])).toBe('book/1.txt and 1 more')
    expect(nameOf([file('one.txt', 'a')])).toBe('one.txt')
  })

  test('text files are recognized by their extension', () => {
    for (const name of ['a.txt', 'README', 'dump.XML', 'x/y.md', 'src/main.rs'])
      expect(isText(name)).toBe(true)
    for (const name of ['a.png', 'b.zip', 'c.safetensors', 'movie.mp4']) expect(isText(name)).toBe(false)
  })

  test('problems name the supported formats', async () => {
    expect(await problemOf(file('a.png', 'x'))).toMatch(/a\.png is not a text file.*UTF-8/)
    expect(await problemOf(file('a.txt', ''))).toMatch(/a\.txt is empty/)
    expect(await problemOf(file('a.txt', 'x'.repeat(1001)))).toMatch(/limit/)
    expect(await problemOf(file('a.txt', Uint8Array.of(97, 98, 0xff, 99)))).toMatch(
      /a\.txt is not UTF-8: invalid byte near 2\./,
    )
    expect(await problemOf(file('a.txt', 'Köln – 北京'))).toBeNull()
    // An incomplete character at the end of the file.
    expect(await problemOf(file('a.txt', Uint8Array.of(97, 0xc3)))).toMatch(/not UTF-8/)
  })

  test('the invalid byte is found across part boundaries', async () => {
    const bytes = new TextEncoder().encode('a' + 'é'.repeat(1 << 20))
    bytes[1_500_001] = 0xff
    const text = await textOf([file('a.txt', bytes)], 1e7)
    expect('problem' in text && text.problem).toMatch(/not UTF-8: invalid byte near 1,500,00[01]\./)
  })

  test('a text shorter than a window is rejected', () => {
    const text = (length: number) => ({ name: 'tiny.txt', files: [file('tiny.txt', 'x'.repeat(length))] })
    expect(tooShort(text(5), 64)).toBe('tiny.txt has 5 bytes; at least 73 are needed.')
    expect(tooShort(text(72), 64)).toMatch(/has 72 bytes/)
    expect(tooShort(text(73), 64)).toBeNull()
    const parts = [file('a.txt', 'x'.repeat(40)), file('b.txt', 'x'.repeat(40))]
    expect(tooShort({ name: 'book', files: parts }, 64)).toBeNull()
  })

  test('the name of a pasted text identifies the text, but has no words of it', async () => {
    const [one, other] = ['é'.repeat(600), 'é'.repeat(599) + 'è'].map(pastedText)
    expect(one!.name).toMatch(/^pasted text, 1,200 bytes, [0-9a-f]{4}$/)
    expect(other!.name).not.toBe(one!.name)
    expect(await textOf([one!], 2000)).toMatchObject({ name: one!.name })
  })

  test('a run receives its stored text rather than another text of the same name', async () => {
    const info = (await loadExperiments()).find(({ name }) => name === 'language')!
    if (info.world.kind !== 'language') throw new Error(info.world.kind)
    vi.stubGlobal('matchMedia', () => ({ matches: false }))
    const [stored, other, third] = ['a', 'b', 'c'].map((letter) => file('notes.txt', letter.repeat(20_000)))
    const lab = new Lab()
    const bringText = vi.fn(async (_: string[], __: Uint8Array[]) => {})
    const attach = vi.fn()
    lab.session = { bringText } as unknown as Session
    const attached = (): Attachment => ({ name: 'notes.txt', files: [stored!] })
    lab.runStorage = { attach, attached } as unknown as RunStorage
    lab.config = info.defaults
    const texts = new OwnTexts(lab)
    const steer = { restart: async () => {} } as unknown as Steer
    const received = () => String.fromCharCode(bringText.mock.lastCall![1][0]![0]!)

    await texts.learnFrom([other!], info, info.world, steer, null)
    await texts.give('notes.txt')
    expect(received()).toBe('a')
    expect(attach).not.toHaveBeenCalled()
    // A text that the user opens for the waiting run replaces the stored one.
    await texts.learnFrom([third!], info, info.world, steer, 'notes.txt')
    expect(received()).toBe('c')
    expect(attach).toHaveBeenCalledOnce()
    vi.unstubAllGlobals()
  })

  test('a text that is too short does not restart the run', async () => {
    const info = (await loadExperiments()).find(({ name }) => name === 'language')!
    if (info.world.kind !== 'language') throw new Error(info.world.kind)
    vi.stubGlobal('matchMedia', () => ({ matches: false }))
    const texts = new OwnTexts(new Lab())
    const restart = vi.fn(async () => {})
    const steer = { restart } as unknown as Steer
    await texts.learnFrom([file('tiny.txt', 'hello')], info, info.world, steer, null)
    expect(texts.problem).toBe('tiny.txt has 5 bytes; at least 73 are needed.')
    expect(restart).not.toHaveBeenCalled()
    expect(texts.busy).toBe(false)
    vi.unstubAllGlobals()
  })

  test('every size has an existing preset', async () => {
    const info = (await loadExperiments()).find(({ name }) => name === 'language')!
    const names = info.presets.map(({ name }) => name)
    for (const length of [1e4, 1e6, 1e7, 1e8])
      for (const phone of [true, false]) expect(names).toContain(presetFor(length, phone))
    expect(presetFor(1e6, true)).not.toBe(presetFor(1e6, false))
  })
})
