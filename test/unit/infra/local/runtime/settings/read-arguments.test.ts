import { describe, expect, it } from 'vitest'
import { BadSetting } from '../../../../../../infra/local/runtime/settings/settings.ts'
import { readArguments } from '../../../../../../infra/local/runtime/settings/variables.ts'

describe('the command line of npm start', () => {
  it.each([
    [[], undefined],
    [['--help'], 'help'],
    [['-h'], 'help'],
    [['--version'], 'version'],
    [['-v', '-h'], 'help'],
  ])('%j asks for %s', (given, asked) => expect(readArguments(given)).toBe(asked))

  it.each([
    ['--hepl', '--hepl is not an option of npm start: it knows --help and --version. Did you mean --help?'],
    ['--verson', '--verson is not an option of npm start: it knows --help and --version. Did you mean --version?'],
    ['production', 'production is not an option of npm start: it knows --help and --version.'],
    ['--port=4000', '--port=4000 is not an option: settings are environment variables. Run `PORT=4000 npm start`.'],
    ['PORT=4000', 'PORT=4000 is not an option: settings are environment variables. Run `PORT=4000 npm start`.'],
    ['--data-dir', '--data-dir is not an option: settings are environment variables. Run `DATA_DIR=... npm start`.'],
  ])('refuses %s', (given, message) => expect(() => readArguments([given])).toThrow(new BadSetting(message)))
})
