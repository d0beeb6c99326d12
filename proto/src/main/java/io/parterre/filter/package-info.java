/**
 * What a query asks for: the syntax tree of a filter, its evaluation over stored entities, its form
 * between roles. Parsing the text is the front end's affair. Pure; safe for any thread unless a
 * class says otherwise. Start with {@link io.parterre.filter.Filter}.
 */
package io.parterre.filter;
