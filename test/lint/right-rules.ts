import { fileOf, type LintRule, type SyntaxNode, type Visitors } from './lint-rule.ts'

/** Names that only a record is known by: a file that has one is about records. */
const recordNames = /^(?:record_?ids?|recordKey|RecordRef)$/i

const functions = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'] as const

/**
 * The permission to update or delete records of a table says nothing of one record: row rules may keep it from whoever has
 * that. So `mayOnTable` is not asked for it in a function that has an id (the outermost one around it), nor in a file that is
 * about records; `access.require` and `access.permitted` ask for both.
 */
export const recordRights: LintRule = {
  create(context): Visitors {
    if (!/^(shared|functions)\//.test(fileOf(context))) return {}
    const message =
      'A permission on the table is not one on the record: ask access.require or access.permitted (shared/accounts/access).'
    const asked = new Map<SyntaxNode, { hasId: boolean }>()
    let outermost = { hasId: false }
    let depth = 0
    let isAboutRecords = false

    function enter(): void {
      if (depth === 0) outermost = { hasId: false }
      depth += 1
    }
    const leave = (): void => void (depth -= 1)

    return {
      ...Object.fromEntries(functions.flatMap((type) => [[type, enter] as const, [`${type}:exit`, leave] as const])),
      Identifier({ name = '' }) {
        if (recordNames.test(name)) isAboutRecords = true
        if (name === 'id' || name === 'ids') outermost.hasId = true
      },
      CallExpression(node) {
        const action = node.arguments?.[2]?.value
        if (node.callee?.name === 'mayOnTable' && (action === 'update' || action === 'delete'))
          asked.set(node, outermost)
      },
      'Program:exit'() {
        for (const [node, { hasId }] of asked) if (hasId || isAboutRecords) context.report({ node, message })
      },
    }
  },
}
