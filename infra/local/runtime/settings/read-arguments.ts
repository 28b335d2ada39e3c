import { nearestWord } from '../../../../shared/kernel/text/nearest-word.ts'
import { BadSetting } from './settings.ts'
import { variables } from './variables.ts'

const options = ['--help', '--version', '-h', '-v'] as const

/** What the command line of `npm start` asks for; undefined: to start. Throws BadSetting with a one-line message. */
export function readArguments(given: readonly string[]): 'help' | 'version' | undefined {
  const unknown = given.find((argument) => !(options as readonly string[]).includes(argument))
  if (unknown !== undefined) throw new BadSetting(refusal(unknown))
  if (given.some((argument) => argument === '--help' || argument === '-h')) return 'help'
  return given.length > 0 ? 'version' : undefined
}

/** `--port 4000` and `PORT=4000` after the command are what people try. */
function refusal(argument: string): string {
  const [word = '', value] = argument.replace(/^-+/, '').split('=', 2)
  const variable = variables.find(({ name }) => name === word.toUpperCase().replaceAll('-', '_'))?.name
  if (variable !== undefined)
    return `${argument} is not an option: settings are environment variables. Run \`${variable}=${value || '...'} npm start\`.`
  const nearest = nearestWord(argument, options)
  const hint = nearest === undefined ? '' : ` Did you mean ${nearest}?`
  return `${argument} is not an option of npm start: it knows --help and --version.${hint}`
}
