/**
 * The one catalogue of what may go wrong, with what clients are told. Values only. Start with
 * {@link io.parterre.error.ErrorCode}.
 */
package io.parterre.error;
