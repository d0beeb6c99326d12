/**
 * Filters of queries: the syntax tree, its evaluation over stored entities, and its format between
 * roles. The front end parses the text. Pure; safe for any thread unless a class says otherwise.
 * Start with {@link io.parterre.filter.Filter}.
 */
package io.parterre.filter;
