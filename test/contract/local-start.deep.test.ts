import { cp, mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { folder, freePort, root, start } from '../make/services/start-script.ts'

describe('npm start', () => {
  it('answers a page that was asked for while it started', async () => {
    const port = await freePort()
    const run = start({ PORT: String(port) })
    let page: Response | undefined
    while (page === undefined) {
      page = await fetch(`http://127.0.0.1:${port}/_local/start`).catch(() => undefined)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    expect([page.status, await page.json()]).toMatchObject([200, { success: true }])
    await run.ready()
    expect([run.child.exitCode, run.err()]).toEqual([null, ''])
  })

  it('prints one line when its port is taken', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    const run = start({ PORT: String(port) })
    expect(await run.ended).toBe(1)
    expect(run.err()).toBe(`Port ${port} is taken: stop what listens there, or set PORT to another one.\n`)
  })

  it('prints one line when its data directory is in use or not a directory', async () => {
    const data = await folder()
    const first = start({ DATA_DIR: data })
    await first.ready()
    const second = start({ DATA_DIR: data })
    expect(await second.ended).toBe(1)
    expect(second.err()).toMatch(/^The data directory \S+ is in use by another process\.\n$/)
    await writeFile(join(data, 'file'), '')
    const third = start({ DATA_DIR: join(data, 'file') })
    expect(await third.ended).toBe(1)
    expect(third.err()).toMatch(/^The data directory \S+ is not a directory: set DATA_DIR to another path\.\n$/)
  })

  it('prints one line for an invalid setting', async () => {
    const run = start({ APP_MODE: 'multi' })
    expect(await run.ended).toBe(1)
    expect(run.err()).toBe('APP_MODE is one of single, saas, not "multi".\n')
  })

  it('says that ADMIN_PASSWORD changes nothing in a data directory that has its administrator', async () => {
    const data = await folder()
    const first = start({ DATA_DIR: data })
    await first.ready()
    expect(first.out()).toContain('Administrator admin@example.com signs in with ADMIN_PASSWORD\n')
    first.child.kill('SIGTERM')
    await first.ended
    // A weak one is not refused: it is not used.
    const second = start({ DATA_DIR: data, ADMIN_PASSWORD: 'short' })
    await second.ready()
    expect(second.out()).toContain(
      'ADMIN_PASSWORD changes nothing: this data directory has its administrator, admin@example.com. A new password is set with `npm run admin -- --email admin@example.com`, or by PUT /api/user once signed in.\n',
    )
    second.child.kill('SIGTERM')
    await second.ended
    const third = start({ DATA_DIR: data, ADMIN_PASSWORD: '' })
    await third.ready()
    expect(third.out()).not.toContain('changes nothing')
  })

  it('prints one line when packages are missing', async () => {
    const copy = await folder()
    await mkdir(join(copy, 'infra/local'), { recursive: true })
    await cp(join(root, 'infra/local/start.mjs'), join(copy, 'infra/local/start.mjs'))
    await writeFile(join(copy, 'package.json'), '{"dependencies":{"some-package":"1.0.0"}}')
    const run = start({}, join(copy, 'infra/local/start.mjs'))
    expect(await run.ended).toBe(1)
    expect(run.err()).toBe('Run `npm ci` first: the package some-package is not installed.\n')
  })
})
