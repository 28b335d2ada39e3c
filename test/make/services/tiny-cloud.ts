/** A local cloud for one test: a hand-written template, one bundle given as text, a temporary folder. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { onTestFinished } from 'vitest'
import { startLocalCloud } from '../../../infra/local/runtime/cloud.ts'
import type { LocalCloud, LocalCloudOptions } from '../../../infra/local/runtime/local-cloud.ts'
import type { Resources } from './tiny-template.ts'

export interface TinyCloud extends LocalCloud {
  /** Lines the cloud would have written to stderr. */
  readonly logged: Record<string, unknown>[]
  readonly folder: string
  /** Stops, then starts again on the same data. */
  restart(): Promise<TinyCloud>
}

export interface TinyCloudOptions extends Partial<LocalCloudOptions> {
  readonly resources: Resources
  readonly template?: Record<string, unknown>
  /** The bundle's source, which may import `@aws-sdk/...`. */
  readonly code: string
  /** Keep data on disk, so that `restart` finds it. */
  readonly onDisk?: boolean
}

/** Starts the cloud; it stops when the test ends. */
export async function tinyCloud(options: TinyCloudOptions): Promise<TinyCloud> {
  const folder = await mkdtemp(join(tmpdir(), 'tiny-cloud-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const templateFile = join(folder, 'tiny.template.json')
  await mkdir(join(folder, 'asset.code'))
  await writeFile(join(folder, 'asset.code', 'index.mjs'), resolvePackages(options.code))
  await writeFile(templateFile, JSON.stringify({ ...options.template, Resources: options.resources }))
  return start()

  async function start(): Promise<TinyCloud> {
    const logged: Record<string, unknown>[] = []
    const cloud = await startLocalCloud({
      templateFiles: [templateFile],
      assetDirectory: folder,
      port: 0,
      sync: false,
      log: (entry) => logged.push(entry as Record<string, unknown>),
      dataDirectory: options.onDisk ? join(folder, 'data') : ':memory:',
      ...options,
    })
    onTestFinished(() => cloud.stop())
    return Object.assign(Object.create(cloud) as LocalCloud, {
      logged,
      folder,
      async restart() {
        await cloud.stop()
        return start()
      },
    })
  }
}

/** The bundle's folder has no node_modules. */
function resolvePackages(code: string): string {
  const { resolve } = createRequire(import.meta.url)
  return code.replace(/from '(@[^']+)'/g, (_, name: string) => `from '${pathToFileURL(resolve(name)).href}'`)
}
