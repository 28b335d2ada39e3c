/**
 * A plugin of oxlint that keeps the architecture: who imports whom (docs/decisions/0128), what only the store names, how
 * names that come from outside are looked up (shared/kernel/collections/own-members.ts), how rights to one record are asked for
 * (docs/decisions/0104), and which words comments avoid.
 */
import { dirname, join } from 'node:path'
import { circleFault } from './folder-circles.ts'
import { importFault } from './import-fault.ts'
import { fileOf, type LintRule, type SyntaxNode } from './lint-rule.ts'
import { names } from './name-rules.ts'
import { recordRights } from './right-rules.ts'
import { json, keys, slots } from './store-rules.ts'
import { words } from './word-rules.ts'

const imports: LintRule = {
  create(context) {
    const from = fileOf(context)
    const check = (source: SyntaxNode | null | undefined, isLazy: boolean): void => {
      if (!source || typeof source.value !== 'string') return
      const target = source.value.startsWith('.') ? join(dirname(from), source.value) : source.value
      const message = importFault(from, target, isLazy) ?? circleFault(from, target)
      if (message) context.report({ node: source, message })
    }
    return {
      ImportDeclaration: ({ source, importKind }) => check(source, importKind === 'type'),
      ExportNamedDeclaration: ({ source }) => check(source, false),
      ExportAllDeclaration: ({ source }) => check(source, false),
      ImportExpression: ({ source }) => check(source, true),
    }
  },
}

export default { meta: { name: 'boundaries' }, rules: { imports, slots, keys, json, names, recordRights, words } }
