import { fileOf, type LintRule, type SyntaxNode, type Visitors } from './lint-rule.ts'

/** Everywhere else, keys and index slots have no names. */
const isOutsideStore = (file: string): boolean =>
  /^(shared|functions)\//.test(file) && !file.startsWith('shared/platform/store/')

/** The text of a literal, or of a piece of a template. */
function textOf({ value }: SyntaxNode): string {
  if (typeof value === 'string') return value
  return value !== null && typeof value === 'object' && 'raw' in value ? String(value.raw) : ''
}

const slotAttribute = /\b(?:[ps](?:0[1-9]|1[0-9]|20)|slot(?:0[1-9]|1[0-9]|20))\b/

/** Attributes of index slots (`p20`, `s15`) are named in one file, which gives them their meaning. */
export const slots: LintRule = {
  create(context): Visitors {
    if (!isOutsideStore(fileOf(context))) return {}
    const message = 'Name slot attributes in shared/platform/store/slots.ts only.'
    const check = (node: SyntaxNode, text: string): void => {
      if (slotAttribute.test(text)) context.report({ node, message })
    }
    return {
      Literal: (node) => check(node, textOf(node)),
      TemplateElement: (node) => check(node, textOf(node)),
      Identifier: (node) => check(node, node.name ?? ''),
    }
  },
}

/** How the partition keys begin; docs/data-model.md lists them. */
const partition = /(?:^|[^A-Za-z])(?:T|TENANT|SLUG|EMAIL|TOKEN)#/

/** Keys of the single table are built in one folder. */
export const keys: LintRule = {
  create(context): Visitors {
    if (!isOutsideStore(fileOf(context))) return {}
    const message = 'Build keys in shared/platform/store/keys only.'
    const check = (node: SyntaxNode): void => {
      if (partition.test(textOf(node))) context.report({ node, message })
    }
    return {
      Literal: check,
      TemplateElement: check,
      Property(node) {
        const isKey = node.key?.name === 'pk' || node.key?.name === 'sk'
        if (isKey && (node.value as SyntaxNode | undefined)?.type.endsWith('Literal')) context.report({ node, message })
      },
    }
  },
}

/** Files that parse JSON which is no attribute of an item: from clients, files, providers, queues, scripts, cursors and blocks. */
const parsesOtherJson =
  /^functions\/api\/mailbox\/sign-in-page\.ts|^shared\/(platform\/(store\/values\/(json-attribute|pack-json)\.ts|http\/|queue\/)|tables\/field-types\/types\/json-in-cell\.ts|operations\/import-export\/import\/read-ndjson\.ts|lists\/columns\/vector\/blocks\/decode-block\.ts|scripts\/sandbox\/|platform\/secrets\/secret-reference\.ts|automation\/bpmn\/(process|document\/vendors\/translate-text)\.ts|accounts\/sign-in\/providers\/sso\/compact-token\.ts|records\/(records\/read\/list-records|relations\/related-cursor)\.ts|messages\/messenger\/(bot-api|incoming\/storable-update)\.ts)/

/** JSON attributes of items are parsed by helpers of the store, whose errors name the item. */
export const json: LintRule = {
  create(context): Visitors {
    const file = fileOf(context)
    if (!/^(shared|functions)\//.test(file) || parsesOtherJson.test(file)) return {}
    const message = 'Read a JSON attribute with readJson or readPackedJson (shared/platform/store).'
    return {
      MemberExpression(node) {
        if (node.object?.name === 'JSON' && node.property?.name === 'parse') context.report({ node, message })
      },
    }
  },
}
