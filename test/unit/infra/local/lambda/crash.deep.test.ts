import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'

const script = fileURLToPath(new URL('../../../../make/loads/killed-writer.ts', import.meta.url))

/** The lines a run printed until it ended, or was killed after so many lines. */
function run(directory: string, name: string, killAfterLines = Infinity): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, directory, name])
    onTestFinished(() => void child.kill('SIGKILL'))
    let [out, err] = ['', '']
    child.stderr.on('data', (chunk) => (err += chunk))
    child.stdout.on('data', (chunk) => {
      out += chunk
      if (out.split('\n').length > killAfterLines) child.kill('SIGKILL')
    })
    child.on('close', (code, signal) => {
      if (code !== 0 && signal !== 'SIGKILL') reject(new Error(err))
      else resolve(out.split('\n').slice(0, -1))
    })
  })
}

it('a killed cloud loses no answered write, nor its way through stream and queue', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'local-crash-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const answered = [...(await run(directory, 'first', 300)), ...(await run(directory, 'second', 150))]
  const [noted] = await run(directory, 'finish')
  expect(answered.length).toBeGreaterThan(400)
  expect(JSON.parse(noted!)).toEqual(expect.arrayContaining(answered))
})
