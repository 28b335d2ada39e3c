import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { parse } from 'acorn'
import type { Mutant } from './mutants.ts'

/** The sources with every mutant in them. */
export interface AllInOne {
  /** Has the processes that start from now on run this mutant; undefined: the original. */
  choose(mutant: Mutant | undefined): void
  restore(): void
}

/**
 * Replaces each file by one that imports the original and all its mutants, and exports what a process is told to when it
 * starts. The service is built once for all mutants: a build takes longer than most tests.
 */
export function allInOne(mutants: readonly Mutant[]): AllInOne {
  const choiceFile = join(tmpdir(), `mutant-${process.pid}`)
  const undo: (() => void)[] = [() => rmSync(choiceFile, { force: true })]
  const write = (path: string, text: string) => {
    writeFileSync(path, text)
    undo.unshift(() => rmSync(path, { force: true }))
  }
  const numberOf = (mutant: Mutant) => String(mutants.indexOf(mutant))
  writeFileSync(choiceFile, 'none')
  for (const [file, some] of Map.groupBy(mutants, (mutant) => mutant.file)) {
    const source = readFileSync(file, 'utf8')
    const copyOf = (name: string) => file.replace(/\.ts$/, `.${name}.ts`)
    write(copyOf('original'), source)
    for (const mutant of some) write(copyOf(numberOf(mutant)), mutant.mutated)
    const from = (name: string) => JSON.stringify(`./${basename(copyOf(name))}`)
    undo.unshift(() => writeFileSync(file, source))
    writeFileSync(
      file,
      [
        `import { readFileSync } from 'node:fs'`,
        `import * as original from ${from('original')}`,
        ...some.map((mutant) => `import * as mutant${numberOf(mutant)} from ${from(numberOf(mutant))}`),
        // Types, for whoever else reads the file.
        `export type * from ${from('original')}`,
        `const mutants: Record<string, unknown> = { ${some.map((mutant) => `${numberOf(mutant)}: mutant${numberOf(mutant)}`).join(', ')} }`,
        `const chosen = (mutants[readFileSync(${JSON.stringify(choiceFile)}, 'utf8')] ?? original) as typeof original`,
        ...exportsOf(source).map((name) => `export const ${name} = chosen.${name}`),
        '',
      ].join('\n'),
    )
  }
  return {
    choose: (mutant) => writeFileSync(choiceFile, mutant ? numberOf(mutant) : 'none'),
    restore: () => {
      for (const one of undo.splice(0)) one()
    },
  }
}

/** The names that a file exports besides types. */
function exportsOf(source: string): string[] {
  const tree = parse(stripTypeScriptTypes(source), { ecmaVersion: 'latest', sourceType: 'module' })
  return tree.body.flatMap((node) => {
    if (node.type !== 'ExportNamedDeclaration') return []
    const { declaration } = node
    if (declaration?.type === 'VariableDeclaration')
      return declaration.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [id.name] : []))
    if (declaration) return [declaration.id.name]
    return node.specifiers.flatMap(({ exported }) => (exported.type === 'Identifier' ? [exported.name] : []))
  })
}
