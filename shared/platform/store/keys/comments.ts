import type { TenantRef } from '../../../kernel/tenancy.ts'
import { idKey, idText, type Key, shardOf, shardsOf, singleKey, tenantPrefix } from './key.ts'

/** The comments of a record, oldest first. Internal ones are apart, so that a reader who may not see them reads none. */
export const commentPartition = (tenant: TenantRef, model: string, id: number, isInternal: boolean): string =>
  `${tenantPrefix(tenant)}COMMENT${isInternal ? 'I' : ''}#${model}#${id}`
export const commentKey = (
  tenant: TenantRef,
  model: string,
  id: number,
  { id: commentId, isInternal }: { readonly id: number; readonly isInternal: boolean },
): Key => idKey(commentPartition(tenant, model, id, isInternal), commentId)
/** What tells the index of what was said that a comment is gone. */
export const removedCommentKey = (tenant: TenantRef, commentId: number): Key =>
  singleKey(`${tenantPrefix(tenant)}COMMENTGONE#${commentId}`)
/** The sort key of a comment: newest last. */
export const commentSort = idText

/** What is known of the comments and watchers of a record as a whole. */
export const discussionKey = (tenant: TenantRef, model: string, id: number): Key =>
  singleKey(`${tenantPrefix(tenant)}DISCUSSION#${model}#${id}`)

/** Who looks at a record: an item a person. */
export const presencePartition = (tenant: TenantRef, model: string, id: number): string =>
  `${tenantPrefix(tenant)}PRESENT#${model}#${id}`
export const presenceKey = (tenant: TenantRef, model: string, id: number, userId: number): Key =>
  idKey(presencePartition(tenant, model, id), userId)

const allComments = (tenant: TenantRef): string => `${tenantPrefix(tenant)}COMMENTS`
const allDiscussions = (tenant: TenantRef): string => `${tenantPrefix(tenant)}DISCUSSIONS`
/** The shards of all comments of a tenant (slot 15). */
export const allCommentsPartitions = (tenant: TenantRef): readonly string[] => shardsOf(allComments(tenant))
/** The one of `allCommentsPartitions` that holds a comment. */
export const allCommentsPartitionOf = (tenant: TenantRef, commentId: number): string =>
  shardOf(allComments(tenant), commentId)
/** The shards of all discussions of a tenant (slot 15). */
export const allDiscussionsPartitions = (tenant: TenantRef): readonly string[] => shardsOf(allDiscussions(tenant))
/** The one of `allDiscussionsPartitions` that holds the discussion of a record. */
export const allDiscussionsPartitionOf = (tenant: TenantRef, id: number): string => shardOf(allDiscussions(tenant), id)
export const discussionSort = (model: string, id: number): string => `${model}#${idText(id)}`
