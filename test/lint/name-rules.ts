import { fileOf, type LintRule, type SyntaxNode, type Visitors } from './lint-rule.ts'

/** The store reads and writes attributes, whose names are its own. */
const takesNames = (file: string): boolean =>
  /^(shared|functions)\//.test(file) && !file.startsWith('shared/platform/store/')

const useOwn =
  'Every object answers to toString and constructor: read the member with own (shared/kernel/collections/own-members.ts).'
const useByName =
  'Every object answers to toString and constructor: collect in byName() (shared/kernel/collections/own-members.ts), or in a Map.'
const useHasOwn = 'Every object has toString and constructor: ask Object.hasOwn, or a Set.'

/** The value of a declaration, without what only the type checker reads. */
function valueOf(node: SyntaxNode | null | undefined): SyntaxNode | undefined {
  if (!node) return undefined
  return node.type === 'TSAsExpression' || node.type === 'TSSatisfiesExpression' ? valueOf(node.expression) : node
}

/** Whether a type lets its members be named by any text: `Record<string, ...>`, also inside of another type, or FieldErrors. */
function takesAnyName(type: SyntaxNode | null | undefined): boolean {
  if (!type) return false
  if (type.type === 'TSTypeLiteral') return (type.members ?? []).some((member) => member.type === 'TSIndexSignature')
  if (type.type === 'TSTypeAnnotation') return takesAnyName(type.typeAnnotation)
  if (type.type !== 'TSTypeReference') return false
  const [first] = type.typeArguments?.params ?? []
  switch (type.typeName?.name) {
    case 'FieldErrors':
      return true
    case 'Record':
      return first?.type === 'TSStringKeyword'
    case 'Readonly':
    case 'Partial':
      return takesAnyName(first)
    default:
      return false
  }
}

/** Whether something is added to a number or taken from it: an index. */
const isNumber = (node: SyntaxNode | undefined): boolean =>
  node?.type === 'BinaryExpression' && [node.left, node.right].some((side) => typeof side?.value === 'number')

const isLiteral = (node: SyntaxNode | undefined): boolean => node?.type === 'Literal'

/**
 * Objects as maps: a name that a person chose is looked up with `own` and collected in `byName`. It finds tables that a
 * file declares, collections that begin as `{}`, members that are made when they are missing, and `in`. Tables from
 * elsewhere, such as parameters, it does not see.
 */
export const names: LintRule = {
  create(context): Visitors {
    if (!takesNames(fileOf(context))) return {}
    const tables = new Set<string>()
    const written = new Set<SyntaxNode | undefined>()
    const reads: { readonly table: string; readonly node: SyntaxNode }[] = []

    function declare(node: SyntaxNode, id: SyntaxNode | null | undefined, init: SyntaxNode | null | undefined): void {
      const value = valueOf(init)
      if (value?.type !== 'ObjectExpression' || !takesAnyName(id?.typeAnnotation)) return
      if (value.properties?.length === 0) context.report({ node, message: useByName })
      else if (id?.name !== undefined) tables.add(id.name)
    }

    return {
      VariableDeclarator: (node) => declare(node, node.id, node.init),
      PropertyDefinition: (node) => declare(node, node, node.value as SyntaxNode | null),
      AssignmentExpression(node) {
        if (node.operator === '=') written.add(node.left)
        const isMade = node.operator === '??=' || node.operator === '||='
        const left = valueOf(node.left)
        if (isMade && left?.computed && !isLiteral(left.property) && !isNumber(left.property))
          context.report({ node, message: useByName })
      },
      BinaryExpression(node) {
        const { left, right } = node
        if (node.operator !== 'in' || isLiteral(left) || left?.type === 'PrivateIdentifier') return
        // A symbol is no name.
        if (left?.object?.name === 'Symbol') return
        const isPrototype = right?.object?.name === 'Object' && right.property?.name === 'prototype'
        if (!isPrototype) context.report({ node, message: useHasOwn })
      },
      MemberExpression(node) {
        const { object, property } = node
        if (!node.computed || isLiteral(property) || written.has(node)) return
        if (object?.name !== undefined) reads.push({ table: object.name, node })
      },
      'Program:exit'() {
        for (const { table, node } of reads) if (tables.has(table)) context.report({ node, message: useOwn })
      },
    }
  },
}
