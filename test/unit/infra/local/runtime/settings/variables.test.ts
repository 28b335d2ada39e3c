import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startHelp, variables } from '../../../../../../infra/local/runtime/settings/variables.ts'

const root = join(import.meta.dirname, '../../../../../..')
const page = readFileSync(join(root, 'docs/local.md'), 'utf8')
const settings = readFileSync(join(root, 'infra/local/runtime/settings/settings.ts'), 'utf8')

/** Name and default of each row of the table; a row may name several variables. */
const documented = page
  .slice(page.indexOf('## Variables'), page.indexOf('## What is embedded'))
  .split('\n')
  .filter((line) => /^\| `[A-Z]/.test(line))
  .flatMap((line) => {
    const [, names = '', presets = ''] = line.split('|')
    const defaults = presets
      .replaceAll('`', '')
      .split(',')
      .map((text) => text.trim())
    return names
      .replaceAll('`', '')
      .split(',')
      .map((name, index) => [name.trim(), defaults[index] ?? ''] as const)
  })

const listed = variables.map(({ name, preset }) => [name.replace(/_[A-Z]+, .*$/, '_*'), preset] as const)

describe('the variables of npm start', () => {
  it('are those of the table in docs/local.md, with the same defaults', () => {
    expect(new Map(documented)).toEqual(new Map(listed))
  })

  it('are read by the settings', () => {
    const single = variables.map(({ name }) => name).filter((name) => !name.includes(','))
    expect(single.filter((name) => !settings.includes(`set('${name}')`))).toEqual([])
  })

  it('are all in the help, in lines that fit a terminal', () => {
    const help = startHelp()
    for (const { name, meaning } of variables) for (const text of [`  ${name} `, meaning]) expect(help).toContain(text)
    expect(Math.max(...help.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(120)
  })
})
