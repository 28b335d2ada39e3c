import { createHash } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'

/** Next to the bundle: the build puts the app there, each file compressed ahead (`infra/web-app/build-web-app.ts`). */
const folder = fileURLToPath(new URL('./app/', import.meta.url))

const contentTypes: ReadonlyMap<string, string> = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
  ['.json', 'application/json; charset=utf-8'],
  ['.woff2', 'font/woff2'],
])

export type Encoding = 'br' | 'gzip' | 'identity'

export interface AppFile {
  readonly bytes: Uint8Array
  readonly headers: Readonly<Record<string, string>>
}

/** The names of the files of the app, without the endings of their compressed forms. */
let names: ReadonlySet<string> | undefined

/** A file of the app as it was compressed ahead; undefined when the app has none of that name. */
export function readAppFile(name: string, encoding: Encoding): AppFile | undefined {
  names ??= new Set(readdirSync(folder).map((file) => file.replace(/\.(br|gz)$/, '')))
  if (!names.has(name)) return undefined
  return fileOf(name, encoding, readFileSync(join(folder, `${name}.${encoding === 'br' ? 'br' : 'gz'}`)))
}

/** An answer with a file. `compressed`: its bytes, by gzip where the encoding is `identity`. */
export const fileOf = (name: string, encoding: Encoding, compressed: Uint8Array): AppFile => ({
  bytes: encoding === 'identity' ? gunzipSync(compressed) : compressed,
  headers: {
    'content-type': contentTypes.get(extname(name)) ?? 'application/octet-stream',
    vary: 'accept-encoding',
    ...(encoding !== 'identity' && { 'content-encoding': encoding }),
  },
})

/** Every compressed form of each file of this build. */
export const appFiles = (): readonly { readonly name: string; read(): Uint8Array }[] =>
  readdirSync(folder).map((name) => ({ name, read: () => readFileSync(join(folder, name)) }))

/** The best encoding that a request accepts. An encoding with `q=0` is refused. */
export function encodingOf(acceptEncoding = ''): Encoding {
  const accepted = new Map(
    acceptEncoding.split(',').map((one) => {
      const [name = '', quality = 'q=1'] = one
        .trim()
        .toLowerCase()
        .split(/\s*;\s*/)
      return [name, Number(quality.replace(/^q=/, ''))]
    }),
  )
  const accepts = (name: Encoding): boolean => (accepted.get(name) ?? accepted.get('*') ?? 0) > 0
  return accepts('br') ? 'br' : accepts('gzip') ? 'gzip' : 'identity'
}

let etag: string | undefined

/** The version of the app: of its page, which names every file by its content. */
export const appEtag = (): string =>
  (etag ??= `"${createHash('sha256')
    .update(readFileSync(join(folder, 'index.html.gz')))
    .digest('base64url')
    .slice(0, 27)}"`)
