import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { OpenApiDocument } from '../../shared/platform/http/openapi/document-types.ts'

const run = promisify(execFile)
const client = join(import.meta.dirname, '..', '..', 'shared', 'client')
const generator = join(client, 'node_modules', 'openapi-typescript', 'bin', 'cli.js')

/**
 * The TypeScript types of a document. The generator has a package.json of its own beside the client, because it needs
 * TypeScript 5; it is installed on first use.
 */
export async function writeTypes(document: OpenApiDocument): Promise<string> {
  if (!existsSync(generator)) {
    console.log(`Installing the generator in ${client} ...`)
    await run('npm', ['ci', '--prefix', client, '--loglevel=error'])
  }
  const folder = await mkdtemp(join(tmpdir(), 'client-types-'))
  try {
    const [from, to] = [join(folder, 'openapi.json'), join(folder, 'api.d.ts')]
    await writeFile(from, JSON.stringify(document))
    // A member with a default may be left out of a request.
    await run(process.execPath, [generator, from, '--output', to, '--default-non-nullable=false'], { cwd: folder })
    return await readFile(to, 'utf8')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
