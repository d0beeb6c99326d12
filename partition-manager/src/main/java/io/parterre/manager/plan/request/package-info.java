/**
 * What becomes of operators' requests: each is judged by the view and gives the commands that carry
 * it out, or the reason why it is not carried out. Start with {@link
 * io.parterre.manager.plan.request.Verdict}; {@link
 * io.parterre.manager.plan.request.OperatorRequests} has most of them.
 */
package io.parterre.manager.plan.request;
