import { nearestWord } from '../../../../shared/kernel/text/did-you-mean.ts'
import { BadSetting } from './settings.ts'

/** The environment variables of `npm start`: its help prints them, and a test compares the README's table with them. */
export interface Variable {
  readonly name: string
  /** As people read it; empty when it has none. */
  readonly preset: string
  readonly meaning: string
}

export const variables: readonly Variable[] = [
  { name: 'PORT', preset: '3000', meaning: 'the service listens on 127.0.0.1 only' },
  { name: 'DATA_DIR', preset: '.local', meaning: 'where all data is stored; :memory: stores nothing' },
  { name: 'ADMIN_EMAIL', preset: 'admin@example.com', meaning: 'the first administrator' },
  { name: 'ADMIN_PASSWORD', preset: 'generated', meaning: 'their password, when the data directory is new' },
  { name: 'SEED', preset: 'demo', meaning: "none leaves out the demo's tables" },
  { name: 'APP_MODE', preset: 'single', meaning: 'saas: everybody who registers gets a tenant' },
  { name: 'REGISTRATION', preset: 'open', meaning: 'closed: by invitation only' },
  { name: 'LOG_LEVEL', preset: 'WARN', meaning: 'INFO logs one line per request; also DEBUG, ERROR' },
  {
    name: 'EMAIL_VERIFICATION',
    preset: 'off',
    meaning: 'required: a registered company works once its address is proved',
  },
  { name: 'PUBLIC_URL', preset: '', meaning: 'the address of the API, as links name it' },
  { name: 'APP_URL', preset: '', meaning: 'the address of the web app, as links name it' },
  { name: 'CORS_ORIGINS', preset: '', meaning: 'browser origins that may call, separated by commas' },
  { name: 'LOCAL_TIMING', preset: 'fast', meaning: 'aws: as slow, unordered and repeating as AWS' },
  { name: 'LOCAL_INSTANCES', preset: '1', meaning: 'instances of each function, up to 20' },
  { name: 'LOCAL_SEED', preset: 'random', meaning: 'repeats what LOCAL_TIMING=aws chooses at random' },
  { name: 'MAIL_HOST, MAIL_PORT, ...', preset: '', meaning: 'mail server: docs/operate.md' },
  { name: 'SSO_ISSUER, SSO_AUDIENCE, ...', preset: '', meaning: 'identity provider: docs/operate.md' },
]

/** What `npm start -- --help` prints. */
export function startHelp(): string {
  const nameWidth = Math.max(...variables.map(({ name }) => name.length)) + 2
  const presetWidth = Math.max(...variables.map(({ preset }) => preset.length)) + 2
  return [
    'Usage: [VARIABLE=value ...] npm start [-- --help | --version]',
    '',
    'Runs the service on this machine, without an AWS account. Settings are environment variables:',
    '',
    ...variables.map(
      ({ name, preset, meaning }) => `  ${name.padEnd(nameWidth)}${preset.padEnd(presetWidth)}${meaning}`,
    ),
    '',
    'For example: PORT=4000 DATA_DIR=:memory: npm start',
    'Lost the password? npm run admin -- --email <address> prints an invitation for an administrator.',
  ].join('\n')
}

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
