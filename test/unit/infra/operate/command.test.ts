import { describe, expect, it } from 'vitest'
import { readArguments, usageOf } from '../../../../infra/operate/command.ts'

const command = {
  name: 'redrive',
  does: 'Moves messages back.',
  options: {
    queue: { value: '<name>', meaning: 'which queue', isRequired: true },
    'dry-run': { meaning: 'lists them only' },
    stage: { value: '<name>', meaning: 'a deployed service' },
  },
  example: '--queue search',
} as const

describe('the usage of a command', () => {
  it('says how it is called, what it does, what each option means, and gives an example', () => {
    expect(usageOf(command)).toBe(
      `Usage: npm run redrive -- --queue <name> [--dry-run] [--stage <name>]

Moves messages back.

  --queue <name>  which queue
  --dry-run       lists them only
  --stage <name>  a deployed service
  --help          prints this text

For example: npm run redrive -- --queue search`,
    )
  })

  it('continues on the next line where the options do not fit', () => {
    const options = Object.fromEntries(
      Array.from({ length: 6 }, (_, n) => [`an-option-${n}`, { value: '<a value>', meaning: 'm' }] as const),
    )
    const lines = usageOf({ ...command, options }).split('\n')
    expect(lines[1]).toMatch(/^ {26}\[--an-option-/)
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(110)
  })
})

describe('the arguments of a command', () => {
  it('are its options, with values beside or behind an equals sign', () => {
    expect(readArguments(command, ['--queue', 'search', '--dry-run'])).toMatchObject({
      queue: 'search',
      'dry-run': true,
    })
    expect(readArguments(command, ['--queue=search'])).toMatchObject({ queue: 'search' })
    expect(readArguments(command, ['--queue', 'x', '--help'])).toBeUndefined()
    expect(readArguments(command, ['-h'])).toBeUndefined()
  })

  it.each<[string[], string]>([
    [
      ['--queu', 'x'],
      '--queu is not an option of npm run redrive: it knows --queue, --dry-run, --stage, --help. Did you mean --queue?',
    ],
    [['--toString'], '--toString is not an option of npm run redrive: it knows --queue, --dry-run, --stage, --help.'],
    [['search'], 'npm run redrive takes options only, not "search".'],
    [['--queue'], '--queue needs a value: --queue <name>.'],
    [['--queue='], '--queue needs a value: --queue <name>.'],
    [['--queue', '--dry-run'], '--queue needs a value, and --dry-run looks like an option.'],
    [['--dry-run=yes', '--queue', 'x'], '--dry-run takes no value.'],
    [['--dry-run'], '--queue is missing: npm run redrive needs it.'],
  ])('%j are refused with what is allowed', (given, message) => {
    expect(() => readArguments(command, given)).toThrow(message)
  })
})
