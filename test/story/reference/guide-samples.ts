/** The samples of a guide: its code blocks, run in one shell as a reader copies them, and compared with what it shows. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exact, unlike } from '../../make/oracles/resembles.ts'

export interface Block {
  readonly language: string
  readonly text: string
  /** Of the guide's text. */
  readonly line: number
}

/** What a guide tells a story with, besides names. */
const told = new Set([
  ...exact,
  ...'code body text outcome category is_internal is_edited is_active is_processed recipient state priority from_email'.split(
    ' ',
  ),
])

const endOfBlock = '____ end of block'
const blockWithinMs = 60_000

export const blocksOf = (text: string): Block[] =>
  [...text.matchAll(/^```(\w+)\n([^]*?)^```$/gm)].map(({ 1: language = '', 2: block = '', index }) => ({
    language,
    text: block,
    line: text.slice(0, index).split('\n').length,
  }))

interface Reader {
  /** Of the service that the commands reach, in place of `localhost:3000`. */
  readonly url: string
  readonly environment?: Readonly<Record<string, string>>
  /** Waits until the service has done what a block led to: a reader takes longer than that to read on. */
  settled(): Promise<void>
}

/** Runs the `sh` blocks of a text in order, and answers a line for each whose output is not what the text shows. */
export async function wrongSamples(text: string, reader: Reader): Promise<string[]> {
  const blocks = blocksOf(text)
  const commands = blocks.filter(({ language }) => language === 'sh')
  const wrong: string[] = []
  const directory = await mkdtemp(join(tmpdir(), 'guide-'))
  // Without -e a wrong command would be followed by others that fail because of it.
  const shell = spawn('sh', ['-eu'], { cwd: directory, env: { ...process.env, ...reader.environment } })
  try {
    for (const command of commands) {
      const output = await outputOf(shell, command.text.replaceAll('localhost:3000', reader.url.replace('http://', '')))
      const problem = problemOf(output, blocks[blocks.indexOf(command) + 1])
      if (problem !== undefined) wrong.push(`line ${command.line}: ${problem}: ${output.slice(0, 600)}`)
      await reader.settled()
    }
  } catch (error) {
    wrong.push((error as Error).message)
  } finally {
    shell.kill()
    await rm(directory, { recursive: true, force: true })
  }
  return wrong
}

function outputOf({ stdin, stdout, stderr, exitCode }: ChildProcess, command: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let output = ''
  let complaints = ''
  const read = (chunk: Buffer): void => {
    output += chunk.toString()
    if (output.endsWith(`\n${endOfBlock}\n`)) resolve(output.slice(0, -endOfBlock.length - 2))
  }
  const hear = (chunk: Buffer): void => void (complaints += chunk.toString())
  const stopped = (): void => reject(new Error(`${command}\nended the shell: ${complaints}${output}`))
  const late = setTimeout(() => reject(new Error(`${command}\ndid not end. ${complaints}${output}`)), blockWithinMs)
  if (exitCode !== null) stopped()
  stdout?.on('data', read).on('end', stopped)
  stderr?.on('data', hear)
  stdin?.write(`${command}\nprintf '\\n${endOfBlock}\\n'\n`)
  return promise.finally(() => {
    clearTimeout(late)
    stdout?.off('data', read).off('end', stopped)
    stderr?.off('data', hear)
  })
}

const parsed = (text: string): any => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What is wrong with the output of a block. `shown` is the block after it: the answer, if the guide shows one. */
function problemOf(output: string, shown: Block | undefined): string | undefined {
  const answer = parsed(output)
  if (shown?.language === 'json') {
    const example = JSON.parse(shown.text)
    return (
      unlike(example, answer, 'answer', told) ??
      (example.success === answer?.success ? undefined : 'it should not have failed')
    )
  }
  if (shown?.language === 'csv') {
    const line = shown.text.trim().split('\n').at(-1) as string
    return output.includes(line) ? undefined : `it lacks the line ${line}`
  }
  return answer === undefined || answer.success === true || answer.success === undefined ? undefined : 'it failed'
}
