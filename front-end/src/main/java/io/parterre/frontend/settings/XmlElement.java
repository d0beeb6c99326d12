package io.parterre.frontend.settings;

import io.parterre.error.ErrorCode;
import io.parterre.error.StorageException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * An element without its attributes and namespace.
 *
 * @param text all text of the element; only whitespace if the element has children
 */
record XmlElement(String name, String text, List<XmlElement> children) {
    XmlElement {
        children = List.copyOf(children);
    }

    static StorageException invalid() {
        return new StorageException(ErrorCode.INVALID_XML_DOCUMENT);
    }

    /**
     * Returns this element if it has this name.
     *
     * @throws StorageException {@code INVALID_XML_DOCUMENT}
     */
    XmlElement named(String expected) {
        if (!name.equals(expected)) {
            throw invalid();
        }
        return this;
    }

    /**
     * Returns this element if its children have these names, each at most once, in any order.
     *
     * @throws StorageException {@code INVALID_XML_DOCUMENT}
     */
    XmlElement having(String... names) {
        List<String> possible = Arrays.asList(names);
        Set<String> seen = new HashSet<>();
        for (XmlElement child : children) {
            if (!possible.contains(child.name) || !seen.add(child.name)) {
                throw invalid();
            }
        }
        return this;
    }

    Optional<XmlElement> child(String childName) {
        return children.stream().filter(child -> child.name.equals(childName)).findFirst();
    }

    /**
     * Returns a child that must exist.
     *
     * @throws StorageException {@code INVALID_XML_DOCUMENT}
     */
    XmlElement require(String childName) {
        return child(childName).orElseThrow(XmlElement::invalid);
    }

    /** Returns the text without surrounding whitespace, if the element contains only text. */
    String value() {
        having();
        return text.strip();
    }
}
