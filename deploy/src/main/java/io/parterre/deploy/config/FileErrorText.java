package io.parterre.deploy.config;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;

/** Explains to an operator why a file or folder cannot be used. Stateless. */
public final class FileErrorText {
    private FileErrorText() {}

    /**
     * Returns only the reason.
     *
     * @param path path that the message already names; another file at fault is named
     */
    public static String reason(Path path, IOException failure) {
        if (failure instanceof CharacterCodingException) {
            return "not text in UTF-8";
        }
        if (!(failure instanceof FileSystemException file)) {
            String message = String.valueOf(failure.getMessage());
            return message.equals("Is a directory") ? "is a folder" : message;
        }
        boolean known = file.getFile() == null || file.getFile().equals(path.toString());
        return known ? words(file) : words(file) + ": " + file.getFile();
    }

    private static String words(FileSystemException failure) {
        if (failure instanceof NoSuchFileException) {
            return "no such file or folder";
        }
        if (failure instanceof AccessDeniedException) {
            return "permission denied";
        }
        if (failure instanceof NotDirectoryException
                || failure instanceof FileAlreadyExistsException) {
            return "not a folder";
        }
        if (failure instanceof DirectoryNotEmptyException) {
            return "folder not empty";
        }
        // The system's own text, such as "No space left on device".
        return failure.getReason() == null
                ? failure.getClass().getSimpleName()
                : failure.getReason();
    }
}
