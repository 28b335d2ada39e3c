import { parseArgs } from 'node:util'
import { nearestWord } from '../../shared/kernel/text/did-you-mean.ts'
import { errorMessage } from './error-message.ts'

/** An option of a command: a switch, or one that takes a value. */
export interface CommandOption {
  /** What stands for its value, such as `<name>`; left out for a switch. */
  readonly value?: `<${string}>`
  readonly meaning: string
  readonly isRequired?: true
}

type CommandOptions = Readonly<Record<string, CommandOption>>

/** A command of `npm run`: its help, its checks and its failures read alike everywhere. */
export interface Command<Options extends CommandOptions> {
  /** As after `npm run`. */
  readonly name: string
  /** What it does, in a sentence or two. */
  readonly does: string
  readonly options: Options
  /** What follows `npm run <name>` in an example. */
  readonly example: string
}

/** The given options. */
export type Given<Options extends CommandOptions> = {
  readonly [Name in keyof Options as Options[Name]['isRequired'] extends true ? Name : never]: string
} & {
  readonly [Name in keyof Options]?: Options[Name]['value'] extends string ? string : boolean
}

/** Arguments that the command does not take; its message says what it takes. */
class BadArgument extends Error {
  override readonly name = 'BadArgument'
}

const help: CommandOption = { meaning: 'prints this text' }
const lineCharacters = 100

/**
 * Runs a command with the arguments of this process, and sets the exit code: 0, what `run` answers, or 1 for a failure,
 * which is printed as one line. Wrong arguments are followed by the usage.
 */
export async function runCommand<const Options extends CommandOptions>(
  command: Command<Options>,
  run: (given: Given<Options>) => Promise<number | void>,
): Promise<void> {
  try {
    const given = readArguments(command, process.argv.slice(2))
    if (given === undefined) console.log(usageOf(command))
    else process.exitCode = (await run(given)) ?? 0
  } catch (error) {
    console.error(error instanceof BadArgument ? `${error.message}\n\n${usageOf(command)}` : errorMessage(error))
    process.exitCode = 1
  }
}

/** What `--help` prints: how it is called, what it does, its options and an example. */
export function usageOf({ name, does, options, example }: Command<CommandOptions>): string {
  const all = Object.entries(options)
  const calls = all.map(([option, { value, isRequired }]) => {
    const call = value === undefined ? `--${option}` : `--${option} ${value}`
    return isRequired ? call : `[${call}]`
  })
  const rows = [...all, ['help', help] as const].map(
    ([option, { value = '', meaning }]) => [`--${option} ${value}`.trimEnd(), meaning] as const,
  )
  const width = Math.max(...rows.map(([call]) => call.length)) + 2
  return [
    ...wrapped(`Usage: npm run ${name} --`, calls),
    '',
    does,
    '',
    ...rows.map(([call, meaning]) => `  ${call.padEnd(width)}${meaning}`),
    '',
    `For example: npm run ${name}${example === '' ? '' : ` -- ${example}`}`,
  ].join('\n')
}

/** The options given; undefined when help is asked for. Throws BadArgument. */
export function readArguments<Options extends CommandOptions>(
  { name, options }: Command<Options>,
  given: readonly string[],
): Given<Options> | undefined {
  const known: CommandOptions = { ...options, help }
  const { tokens, values } = parseArgs({
    args: [...given],
    strict: false,
    tokens: true,
    allowPositionals: true,
    options: {
      ...Object.fromEntries(
        Object.entries(options).map(([option, { value }]) => [
          option,
          { type: value === undefined ? ('boolean' as const) : ('string' as const) },
        ]),
      ),
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values['help'] === true) return undefined
  for (const token of tokens) {
    if (token.kind === 'positional') throw new BadArgument(`npm run ${name} takes options only, not "${token.value}".`)
    if (token.kind !== 'option') continue
    const option = Object.hasOwn(known, token.name) ? known[token.name] : undefined
    if (!option) throw new BadArgument(unknownOption(name, token.rawName, Object.keys(known)))
    if (option.value === undefined && token.value !== undefined)
      throw new BadArgument(`${token.rawName} takes no value.`)
    if (option.value !== undefined && (token.value === undefined || token.value === ''))
      throw new BadArgument(`${token.rawName} needs a value: ${token.rawName} ${option.value}.`)
    if (option.value !== undefined && token.inlineValue === false && token.value?.startsWith('-'))
      throw new BadArgument(`${token.rawName} needs a value, and ${token.value} looks like an option.`)
  }
  const missing = Object.entries(options).find(([option, { isRequired }]) => isRequired && values[option] === undefined)
  if (missing) throw new BadArgument(`--${missing[0]} is missing: npm run ${name} needs it.`)
  return values as Given<Options>
}

function unknownOption(command: string, option: string, known: readonly string[]): string {
  const all = known.map((name) => `--${name}`)
  const nearest = nearestWord(option, all)
  const hint = nearest === undefined ? '' : ` Did you mean ${nearest}?`
  return `${option} is not an option of npm run ${command}: it knows ${all.join(', ')}.${hint}`
}

/** Words after a beginning, on as many lines as they need. */
function wrapped(beginning: string, words: readonly string[]): string[] {
  const indent = ' '.repeat(beginning.length)
  const lines: string[] = []
  let line = beginning
  for (const word of words) {
    if (line.length + 1 + word.length > lineCharacters && line !== indent) {
      lines.push(line)
      line = indent
    }
    line += ` ${word}`
  }
  return [...lines, line]
}
