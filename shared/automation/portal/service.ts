import type { Caller } from '../../kernel/principal.ts'
import type { RowListQuery } from '../../platform/http/paging/page-query.ts'
import { commentOnApproval } from './approvals/comment-on-approval.ts'
import { listApprovals } from './approvals/list-approvals.ts'
import { listArticles } from './articles/list-articles.ts'
import { getArticle, voteOnArticle } from './articles/vote.ts'
import type { PortalDependencies } from './dependencies.ts'
import { describeItemForm, listItems } from './items/item-form.ts'
import { commentOnRequest } from './requests/comment-on-request.ts'
import { createRequest } from './requests/create-request.ts'
import { describeRequest, listRequests } from './requests/list-requests.ts'
import { openRequest } from './requests/open-request.ts'
import { rateRequest } from './requests/rating.ts'
import { reopenRequest } from './requests/reopen-request.ts'
import { openRequestFile } from './requests/request-files.ts'
import { addToRequest, removeFromRequest } from './requests/watchers.ts'
import type {
  AddWatchers,
  NewPortalRequest,
  PortalComment,
  PortalRequestAnswer,
  PortalRequestsQuery,
  RatingInput,
} from './schema.ts'
import { suggest } from './suggest.ts'

/** What people without permissions on tables ask for, and what they see of it. */
export function createPortal(services: PortalDependencies) {
  const get = async (caller: Caller, id: number): Promise<PortalRequestAnswer> =>
    describeRequest(services, caller, await openRequest(services, caller, id))

  /** Does something with a request, and answers it as it is then. */
  const after = async (work: Promise<void>, caller: Caller, id: number): Promise<PortalRequestAnswer> => {
    await work
    return get(caller, id)
  }

  return {
    items: (caller: Caller, query: Parameters<typeof listItems>[2]) => listItems(services, caller, query),
    form: (caller: Caller, id: number) => describeItemForm(services, caller, id),
    send: async (caller: Caller, input: NewPortalRequest, key: string | undefined) =>
      get(caller, await createRequest(services, caller, input, key)),
    list: (caller: Caller, query: PortalRequestsQuery) => listRequests(services, caller, query),
    get,
    comment: (caller: Caller, id: number, input: PortalComment, key: string | undefined) =>
      after(commentOnRequest(services, caller, id, input, key), caller, id),
    reopen: (caller: Caller, id: number) => after(reopenRequest(services, caller, id), caller, id),
    rate: (caller: Caller, id: number, input: RatingInput) =>
      after(rateRequest(services, caller, id, input), caller, id),
    addWatchers: (caller: Caller, id: number, input: AddWatchers) =>
      after(addToRequest(services, caller, id, input), caller, id),
    removeWatcher: (caller: Caller, id: number, userId: number) => removeFromRequest(services, caller, id, userId),
    file: (caller: Caller, id: number, path: string) => openRequestFile(services, caller, id, path),
    articles: (caller: Caller, query: Parameters<typeof listArticles>[2]) => listArticles(services, caller, query),
    article: (caller: Caller, id: number) => getArticle(services, caller, id),
    async vote(caller: Caller, id: number, isHelpful: boolean) {
      await voteOnArticle(services, caller, id, isHelpful)
      return getArticle(services, caller, id)
    },
    suggest: (caller: Caller, text: string) => suggest(services, caller, text),
    approvals: (caller: Caller, query: RowListQuery) => listApprovals(services, caller, query),
    commentOnApproval: (caller: Caller, id: number, input: PortalComment) =>
      commentOnApproval(services, caller, id, input),
  }
}
