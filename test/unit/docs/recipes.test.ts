import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../../..')
const page = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')

/** How many files of production code the commonest changes may touch. */
const maxFiles: Readonly<Record<string, number>> = {
  'Add a field type': 3,
  'Add an endpoint': 4,
  'Add a stream consumer': 5,
  'Add an `$api` method': 2,
  'Support a BPMN element': 3,
  'Add an object that administrators configure': 5,
  'Add a type of channel': 3,
  'Add a limit': 3,
  'Add a kind of hook': 2,
  'Add an alarm': 2,
}

interface Recipe {
  readonly title: string
  /** Its numbered steps, each with the lines that belong to it. */
  readonly steps: readonly string[]
}

const recipes: readonly Recipe[] = page
  .split(/^### \(\w\) /m)
  .slice(1)
  .map((text) => {
    const [title = '', ...lines] = text.split('\n')
    const body = lines.join('\n').split(/^## /m)[0] ?? ''
    return { title, steps: body.split(/^\d+\. /m).slice(1) }
  })

/** Paths of production code; a step in brackets ("if ...", "only if ...") is for some changes. */
function filesOf({ steps }: Recipe): string[] {
  const always = steps.filter((step) => !/\*\((only )?if|^Tests|^For a new group/.test(step.replaceAll('\n', ' ')))
  const named = always.map((step) => /`((?:shared|functions|infra)\/[^`]+\.ts)`/.exec(step)?.[1])
  return named.filter((path) => path !== undefined)
}

describe('the recipes of CONTRIBUTING', () => {
  it('are those of the commonest changes, and one for the demo', () => {
    expect(recipes.map(({ title }) => title).toSorted()).toEqual(
      [...Object.keys(maxFiles), 'Add a table to the demo'].toSorted(),
    )
  })

  it.each(recipes.filter(({ title }) => title in maxFiles).map((recipe) => [recipe.title, recipe] as const))(
    '%s: touches as many files as it may',
    (title, recipe) => {
      const files = filesOf(recipe)
      expect(files).not.toEqual([])
      expect(files.length).toBeLessThanOrEqual(maxFiles[title] as number)
    },
  )
})
