/**
 * Verdicts on operators' requests: each is judged by the view and gives the commands that carry it
 * out, or the reason of a refusal. Start with {@link io.parterre.manager.plan.request.Verdict};
 * {@link io.parterre.manager.plan.request.OperatorRequests} has most of them.
 */
package io.parterre.manager.plan.request;
