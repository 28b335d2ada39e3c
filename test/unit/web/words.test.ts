import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { de } from '../../../web/words/de/de.ts'
import { later as laterDe } from '../../../web/words/de/later.ts'
import { en } from '../../../web/words/en/en.ts'
import { later as laterEn } from '../../../web/words/en/later.ts'

const root = join(import.meta.dirname, '../../../web')

/** Every key with its text: `queue.create`. */
const textsOf = (words: object): Map<string, string> =>
  new Map(
    Object.entries(words).flatMap(([area, texts]) =>
      Object.entries(texts as Record<string, string>).map(([key, text]) => [`${area}.${key}`, text] as const),
    ),
  )
const [english, german] = [textsOf({ ...en, ...laterEn }), textsOf({ ...de, ...laterDe })]

const sources = readdirSync(root, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.parentPath.includes('/words/'))
  .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'))
  .join('\n')
/** `t('queue.create')`, and the beginnings of keys that are put together: `` t(`operators.${...}`) ``. */
const literal = new Set([...sources.matchAll(/['"`]([a-zA-Z]+\.[a-zA-Z_]+)['"`]/g)].map(([, key]) => key))
const beginnings = [
  ...new Set([...sources.matchAll(/t\(\s*`([a-zA-Z]+\.[a-zA-Z_]*)\$\{/g)].map(([, one]) => one as string)),
]
const isUsed = (key: string): boolean =>
  literal.has(key.replace(/_(one|other)$/, '')) || beginnings.some((one) => key.startsWith(one))

describe('the words of the app', () => {
  it('are the same in every language', () => {
    expect([...german.keys()].toSorted()).toEqual([...english.keys()].toSorted())
  })

  it('are all used', () => {
    expect([...english.keys()].filter((key) => !isUsed(key))).toEqual([])
  })

  it('are there for every key that a screen asks for', () => {
    const asked = [...sources.matchAll(/\bt\(\s*'([a-zA-Z]+\.[a-zA-Z_]+)'/g)].map(([, key]) => key as string)
    expect(asked.length).toBeGreaterThan(50)
    expect(asked.filter((key) => !english.has(key) && !english.has(`${key}_other`))).toEqual([])
  })

  it('put the same values into their sentences', () => {
    const valuesIn = (text = ''): string[] =>
      [...text.matchAll(/\{\{(\w+)/g)].map(([, name]) => name as string).toSorted()
    for (const [key, text] of english) expect([key, valuesIn(german.get(key))]).toEqual([key, valuesIn(text)])
  })

  it('are there when the frame asks for them: those of screens come with the screens', () => {
    const first = ['shell', 'queue', 'keyboard', 'session', 'fields'].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && entry.name.endsWith('.tsx'))
        .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8')),
    )
    const asked = [...first.join('\n').matchAll(/\bt\(\s*['`]([a-zA-Z]+)\./g)].map(([, area]) => area as string)
    expect([...new Set(asked)].filter((area) => area in laterEn)).toEqual([])
  })

  it('say something in each', () => {
    for (const text of [...english.values(), ...german.values()]) expect(text.trim()).not.toBe('')
  })
})
