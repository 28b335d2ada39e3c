import { fileOf, type LintRule, type Visitors } from './lint-rule.ts'

/** Phrases that a stranger stumbles over, with the field's own words (docs/glossary.md, "Words we do not use"). */
const banned: readonly (readonly [RegExp, string])[] = [
  [/\bgoes on\b/i, 'continues'],
  [/\bunder way\b/i, 'in flight'],
  [/\bin vain\b/i, 'superseded, for nothing'],
  [/\b(is|are) told\b(?! (apart|from))/i, 'is notified'],
  [/\bwaits on\b/i, 'stays pending'],
  [/\bnever heard of\b/i, 'unknown'],
  [/\bthat (is|are) none\b/i, 'invalid, missing'],
  [/\bnobody vouches\b/i, 'untrusted'],
]

/** Comments in plain words: production code, without what is generated. */
export const words: LintRule = {
  create(context): Visitors {
    const file = fileOf(context)
    if (!/^(shared|functions|infra)\//.test(file) || file.endsWith('.d.ts')) return {}
    return {
      Program() {
        for (const comment of context.sourceCode.getAllComments())
          for (const [phrase, plain] of banned)
            if (phrase.test(String(comment.value)))
              context.report({ node: comment, message: `Say it plainly: not ${phrase.source}, but ${plain}.` })
      },
    }
  },
}
