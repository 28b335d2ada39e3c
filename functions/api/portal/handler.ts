import { endpointGroup } from '../../../shared/platform/http/routing/endpoint-group.ts'
import { readIdempotencyKey } from '../../../shared/platform/http/routing/idempotency-key.ts'
import { implement } from '../../../shared/platform/http/routing/implement.ts'
import { authenticate } from '../../wiring/authenticate.ts'
import { portal } from '../../wiring/records/portal.ts'
import * as article from './article-routes.ts'
import * as route from './routes.ts'

export const handler = endpointGroup({ authenticate }, [
  implement(route.listItems, ({ caller, query }) => portal.items(caller, query)),
  implement(route.getItemForm, ({ caller, params }) => portal.form(caller, params.id)),
  implement(route.sendRequest, ({ caller, body, headers }) =>
    portal.send(caller, body, readIdempotencyKey(headers['idempotency-key'])),
  ),
  implement(route.listRequests, ({ caller, query }) => portal.list(caller, query)),
  implement(route.getRequest, ({ caller, params }) => portal.get(caller, params.id)),
  implement(route.commentOnRequest, ({ caller, params, body, headers }) =>
    portal.comment(caller, params.id, body, readIdempotencyKey(headers['idempotency-key'])),
  ),
  implement(route.reopenRequest, ({ caller, params }) => portal.reopen(caller, params.id)),
  implement(route.rateRequest, ({ caller, params, body }) => portal.rate(caller, params.id, body)),
  implement(route.addWatchers, ({ caller, params, body }) => portal.addWatchers(caller, params.id, body)),
  implement(route.removeWatcher, ({ caller, params }) => portal.removeWatcher(caller, params.id, params.user_id)),
  implement(route.getRequestFile, ({ caller, params, query }) => portal.file(caller, params.id, query.path)),
  implement(article.listArticles, ({ caller, query }) => portal.articles(caller, query)),
  implement(article.getArticle, ({ caller, params }) => portal.article(caller, params.id)),
  implement(article.voteOnArticle, ({ caller, params, body }) => portal.vote(caller, params.id, body.helpful)),
  implement(article.suggest, ({ caller, query }) => portal.suggest(caller, query.text)),
  implement(route.listApprovals, ({ caller, query }) => portal.approvals(caller, query)),
  implement(route.commentOnApproval, ({ caller, params, body }) => portal.commentOnApproval(caller, params.id, body)),
])
