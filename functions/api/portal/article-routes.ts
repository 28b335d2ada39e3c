import * as z from 'zod'
import { ArticleAnswer, ArticleHead, Suggestions, Vote } from '../../../shared/automation/portal/schema.ts'
import { maxSuggestCharacters } from '../../../shared/kernel/limits/portal.ts'
import { listQuery } from '../../../shared/platform/http/paging/page-query.ts'
import { defineRoute, type Route, signedIn } from '../../../shared/platform/http/routing/define-route.ts'
import { idOf } from '../../../shared/platform/http/routing/input/path-params.ts'

const tag = 'Portal'
const permission = signedIn

const articleHead = {
  id: 1,
  title: 'The printer is jammed',
  category: 'Hardware',
  excerpt: 'Open tray 2 and pull the paper out, slowly.',
  updated_at: '2026-11-20T07:17:00.000Z',
}
const { excerpt: body, ...ofArticle } = articleHead
const article = { ...ofArticle, body, votes: { helpful: 1, not_helpful: 0 }, my_vote: 'helpful' }
const oneArticle = z.object({ id: idOf('article') })

export const listArticles = defineRoute({
  method: 'GET',
  path: '/api/portal/articles',
  tag,
  summary: 'List or search the articles',
  description:
    'The published articles that are for you: the best matches of `search` first, without it the newest. Articles are records of the built-in table `sys_articles`, which people with rights on it write.',
  permission,
  query: listQuery(ArticleHead),
  answer: ArticleHead,
  shape: 'page',
  example: { query: { search: 'printer' }, answer: [articleHead] },
})

export const getArticle = defineRoute({
  method: 'GET',
  path: '/api/portal/articles/{id}',
  tag,
  summary: 'Read an article',
  description: 'A draft, or an article for other roles, is 404.',
  permission,
  params: oneArticle,
  answer: ArticleAnswer,
  example: { params: { id: 1 }, answer: { ...article, votes: { helpful: 0, not_helpful: 0 }, my_vote: null } },
})

export const voteOnArticle = defineRoute({
  method: 'POST',
  path: '/api/portal/articles/{id}/vote',
  operationId: 'setArticleVote',
  tag,
  summary: 'Say whether an article helped',
  description: 'Once a person; sent again, it changes what you said.',
  permission,
  params: oneArticle,
  body: Vote,
  answer: ArticleAnswer,
  example: { params: { id: 1 }, body: { helpful: true }, answer: article },
})

export const suggest = defineRoute({
  method: 'GET',
  path: '/api/portal/suggest',
  operationId: 'searchSuggestions',
  tag,
  summary: 'Suggest articles and items while somebody types',
  description: 'At most five of each, the best first: those that have most of the rare words of the text.',
  permission,
  query: z.object({ text: z.string().max(maxSuggestCharacters) }),
  answer: Suggestions,
  example: { query: { text: 'The printer does not print' }, answer: { articles: [articleHead], items: [] } },
})

export const articleRoutes: readonly Route[] = [listArticles, getArticle, voteOnArticle, suggest]
