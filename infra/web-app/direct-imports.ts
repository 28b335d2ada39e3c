import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Loader, Plugin } from 'esbuild'

const imported = /import\s*\{([^}]*)\}\s*from\s*['"]@mantine\/core['"];?/g
const reexported = /import \{([^}]*)\} from "([^"]+)"/g

/** The names in the braces of an import: what it is called there, and here. Types are none. */
const namesIn = (braces: string): readonly (readonly [name: string, local: string])[] =>
  braces
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '' && !one.startsWith('type '))
    .map((one) => one.split(/\s+as\s+/))
    .map(([name = '', local = name]) => [name, local])

/**
 * Imports each component from its own file in place of the index of its package. esbuild puts a file into the chunk of
 * every entry that reaches it, and through an index each screen reaches what any other one uses: it is 25 KB less of
 * first load.
 */
export function directImports(root: string): Plugin {
  const packageFolder = join(root, 'node_modules/@mantine/core/esm')
  return {
    name: 'direct-imports',
    async setup({ onLoad }) {
      const index = await readFile(join(packageFolder, 'index.mjs'), 'utf8')
      const files = new Map<string, { readonly name: string; readonly file: string }>()
      for (const [, braces = '', path = ''] of index.matchAll(reexported))
        for (const [name, local] of namesIn(braces))
          files.set(local, { name, file: path.startsWith('.') ? join(packageFolder, path) : path })

      const direct = (_whole: string, braces: string): string =>
        namesIn(braces)
          .map(([name, local]) => {
            const found = files.get(name)
            const from = JSON.stringify(found?.file ?? '@mantine/core')
            return `import { ${found?.name ?? name} as ${local} } from ${from};`
          })
          .join(' ')

      onLoad({ filter: /\/(web|@mantine\/\w+\/esm)\/.*\.(tsx?|mjs)$/ }, async ({ path }) => {
        const source = await readFile(path, 'utf8')
        if (!source.includes('@mantine/core')) return undefined
        const loader: Loader = path.endsWith('.tsx') ? 'tsx' : path.endsWith('.ts') ? 'ts' : 'js'
        return { contents: source.replaceAll(imported, direct), loader }
      })
    },
  }
}
