/**
 * The one catalogue of errors and of their texts for clients. Values only. Start with {@link
 * io.parterre.error.ErrorCode}.
 */
package io.parterre.error;
