import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { buildFolderProblem, checkMachine } from '../../../../../infra/local/runtime/check-machine.ts'

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'check-machine-'))
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  return made
}
const check = (given: object): Promise<void> =>
  checkMachine({ port: 0, dataDirectory: ':memory:', buildFolder: folder(), ...given })

describe('before a start', () => {
  it('a machine with all that is needed passes, and its data directory is made', async () => {
    const data = join(folder(), 'a', 'b')
    await check({ dataDirectory: data })
    await check({ dataDirectory: data })
  })

  it('a taken port is one line', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    await expect(check({ port })).rejects.toThrow(
      `Port ${port} is taken: stop what listens there, or set PORT to another one.`,
    )
  })

  it('a data directory that is a file, lies in a file, or on /proc is one line', async () => {
    const file = join(folder(), 'file')
    writeFileSync(file, '')
    const { username } = userInfo()
    await expect(check({ dataDirectory: file })).rejects.toThrow(
      `The data directory ${file} is not a directory: set DATA_DIR to another path.`,
    )
    await expect(check({ dataDirectory: join(file, 'x') })).rejects.toThrow(
      `The data directory ${file}/x cannot be made (a part of the path is a file): set DATA_DIR to one that ${username} may write.`,
    )
    if (process.platform !== 'linux') return
    await expect(check({ dataDirectory: '/proc/foo/bar' })).rejects.toThrow(
      'The data directory /proc/foo/bar cannot be made (the file system does not allow it)',
    )
  })

  it('a build folder that cannot be written is one line', async () => {
    const file = join(folder(), '.build')
    writeFileSync(file, '')
    await expect(check({ buildFolder: file })).rejects.toThrow(`The build folder ${file} cannot be written (`)
  })

  it('a build folder of another user says whose it is and what helps', () => {
    const build = join(folder(), '.build')
    mkdirSync(build)
    const denied = Object.assign(new Error('denied'), { code: 'EACCES' })
    const { uid } = userInfo()
    expect(buildFolderProblem(build, denied)).toContain('cannot be written (permission denied)')
    expect(buildFolderProblem(build, denied, { ...userInfo(), uid: uid + 1, username: 'ada' })).toBe(
      `The build folder ${build} belongs to another user (id ${uid}), and ada may not write there: delete it as its owner (sudo rm -r ${build}), it is made anew.`,
    )
  })
})
