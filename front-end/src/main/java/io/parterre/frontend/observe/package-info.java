/**
 * What operators see of single requests: a line for each in the request log, a line for each slow
 * one, meters by account, and spans. Notes are taken on the event loops. Lines are written by a
 * separate thread, and dropped if it cannot keep up. Start with {@link
 * io.parterre.frontend.observe.Observation}.
 */
package io.parterre.frontend.observe;
